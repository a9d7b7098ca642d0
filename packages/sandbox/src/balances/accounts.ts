import { createHash } from "node:crypto";
import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import type { Owner } from "../organizations/owner.ts";
import type { BalanceRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import { listBalances } from "./balances.ts";

type Json = Record<string, unknown>;

/** Item of GET /accounts/balance. */
export function balanceJson({ currency_code, available, updated_at }: BalanceRow): Json {
  return { currency_code, balance: available, last_updated: isoTime(updated_at) };
}

/** One account per currency. Its `created_at` is the time when the merchant was created. */
export async function accountsJson(database: SandboxDatabase, owner: Owner): Promise<readonly Json[]> {
  const { organization_id, created_at } = owner.organization;
  return (await listBalances(database, owner)).map((row) => ({
    account_id: accountId(row),
    organization_id,
    currency_code: row.currency_code,
    balance: row.available,
    environment: row.environment,
    created_at: isoTime(created_at),
  }));
}

/** @throws ApiError `not_found`, also for the account of another merchant or environment */
export async function readAccountJson(database: SandboxDatabase, accountId: string, owner: Owner): Promise<Json> {
  const account = (await accountsJson(database, owner)).find(
    ({ account_id }) => account_id === accountId.toLowerCase(),
  );
  if (account === undefined) throw notFound("Account");
  return account;
}

/** Derives the id from owner, environment and currency, so an account without any movement needs no row. */
function accountId({ organization_id, environment, currency_code }: BalanceRow): string {
  const hash = createHash("sha256").update(`account ${organization_id} ${environment} ${currency_code}`).digest();
  // The bits of version 8 and of the variant, as in RFC 9562.
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
