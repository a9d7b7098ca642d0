import { instant, type Known, number, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

export type Balance = {
  readonly currencyCode: string;
  /** In the unit of the wire. */
  readonly balance?: number | undefined;
  readonly lastUpdated?: number | undefined;
};

export function readBalance(answer: unknown): Balance | null {
  const found = unwrapOne(answer, ["currency_code"]);
  const currencyCode = found && text(found, "currency_code");
  if (!found || !currencyCode) return null;
  return { currencyCode, balance: number(found, "balance"), lastUpdated: instant(found, "last_updated") };
}

export type Account = {
  readonly id: string;
  readonly organizationId?: string | undefined;
  readonly currencyCode?: string | undefined;
  readonly balance?: number | undefined;
  readonly environment?: Known<"test" | "live"> | undefined;
  readonly createdAt?: number | undefined;
};

export function readAccount(answer: unknown): Account | null {
  const found = unwrapOne(answer, ["account_id"]);
  const id = found && text(found, "account_id");
  if (!found || !id) return null;
  return {
    id,
    organizationId: text(found, "organization_id"),
    currencyCode: text(found, "currency_code"),
    balance: number(found, "balance"),
    environment: text(found, "environment"),
    createdAt: instant(found, "created_at"),
  };
}
