import { numberField, type OpenEnum, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

export type Balance = {
  readonly currencyCode: string;
  /** In the unit of the wire. */
  readonly balance?: number | undefined;
  readonly lastUpdated?: number | undefined;
};

export function readBalance(answer: unknown): Balance | null {
  const found = unwrapObject(answer, ["currency_code"]);
  const currencyCode = found && stringField(found, "currency_code");
  if (!found || !currencyCode) return null;
  return { currencyCode, balance: numberField(found, "balance"), lastUpdated: timeField(found, "last_updated") };
}

export type Account = {
  readonly id: string;
  readonly organizationId?: string | undefined;
  readonly currencyCode?: string | undefined;
  readonly balance?: number | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
};

export function readAccount(answer: unknown): Account | null {
  const found = unwrapObject(answer, ["account_id"]);
  const id = found && stringField(found, "account_id");
  if (!found || !id) return null;
  return {
    id,
    organizationId: stringField(found, "organization_id"),
    currencyCode: stringField(found, "currency_code"),
    balance: numberField(found, "balance"),
    environment: stringField(found, "environment"),
    createdAt: timeField(found, "created_at"),
  };
}
