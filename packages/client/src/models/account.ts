import { enumField, numberField, type OpenEnum, stringField, timeField, unwrapObject } from "./json-fields.ts";

/** The balance in one currency. Fields missing from the response are undefined. */
export type Balance = {
  readonly currencyCode: string;
  /** In the unit of the API (API.md#amounts). */
  readonly balance?: number | undefined;
  /** In milliseconds since 1970. */
  readonly lastUpdated?: number | undefined;
};

export function parseBalance(response: unknown): Balance | null {
  const fields = unwrapObject(response, ["currency_code"]);
  const currencyCode = fields && stringField(fields, "currency_code");
  if (!fields || !currencyCode) return null;
  return { currencyCode, balance: numberField(fields, "balance"), lastUpdated: timeField(fields, "last_updated") };
}

/** An account of the organization. Fields missing from the response are undefined. */
export type Account = {
  readonly id: string;
  readonly organizationId?: string | undefined;
  readonly currencyCode?: string | undefined;
  /** In the unit of the API (API.md#amounts). */
  readonly balance?: number | undefined;
  readonly environment?: OpenEnum<"test" | "live"> | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
};

export function parseAccount(response: unknown): Account | null {
  const fields = unwrapObject(response, ["account_id"]);
  const id = fields && stringField(fields, "account_id");
  if (!fields || !id) return null;
  return {
    id,
    organizationId: stringField(fields, "organization_id"),
    currencyCode: stringField(fields, "currency_code"),
    balance: numberField(fields, "balance"),
    environment: enumField(fields, "environment"),
    createdAt: timeField(fields, "created_at"),
  };
}
