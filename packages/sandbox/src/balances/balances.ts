import { type RawBuilder, sql } from "kysely";
import type { Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { BalanceRow } from "../storage/money-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";

/** Identifies a balance: owner, environment and currency. */
export type BalanceKey = Pick<BalanceRow, "organization_id" | "environment" | "currency_code">;

/** Adds the net amount of a completed payment to the available amount, or to the held amount for cards with `holdCardFunds`. */
export async function creditPayment(context: WriteContext, transaction: TransactionRow): Promise<void> {
  const isHeld = context.service.settings.holdCardFunds && transaction.provider_code === "CARD";
  const { net_amount } = transaction;
  await moveFunds(context, transaction, isHeld ? { held: net_amount } : { available: net_amount });
}

/** Adds to the available and the held amount. Negative amounts subtract. */
export async function moveFunds(
  context: WriteContext,
  { organization_id, environment, currency_code }: BalanceKey,
  { available = 0, held = 0 }: { available?: number; held?: number },
): Promise<void> {
  await context.database
    .insertInto("balances")
    .values({ organization_id, environment, currency_code, available, held, updated_at: context.now })
    .onConflict((conflict) =>
      conflict.columns(["organization_id", "environment", "currency_code"]).doUpdateSet({
        available: saturatingSum(sql.ref("balances.available"), available),
        held: saturatingSum(sql.ref("balances.held"), held),
        updated_at: context.now,
      }),
    )
    .execute();
}

/** The amounts of one balance. They are zero before the first movement. */
export async function readFunds(
  database: SandboxDatabase,
  key: BalanceKey,
): Promise<Pick<BalanceRow, "available" | "held">> {
  const row = await database
    .selectFrom("balances")
    .select(["available", "held"])
    .where("organization_id", "=", key.organization_id)
    .where("environment", "=", key.environment)
    .where("currency_code", "=", key.currency_code)
    .executeTakeFirst();
  return row ?? { available: 0, held: 0 };
}

/** The balances of every currency with movements, and always the default currency of the merchant. */
export async function listBalances(
  database: SandboxDatabase,
  { organization, environment }: Owner,
): Promise<readonly BalanceRow[]> {
  const { organization_id, default_currency, created_at } = organization;
  const found = await database
    .selectFrom("balances")
    .selectAll()
    .where("organization_id", "=", organization_id)
    .where("environment", "=", environment)
    .orderBy("currency_code")
    .execute();
  if (found.some((row) => row.currency_code === default_currency)) return found;
  const defaultKey = { organization_id, environment, currency_code: default_currency };
  return [...found, { ...defaultKey, available: 0, held: 0, updated_at: created_at }];
}

/** A sum that stops at JavaScript's largest safe integer instead of overflowing. */
function saturatingSum(column: RawBuilder<unknown>, amount: number): RawBuilder<number> {
  const maximum = Number.MAX_SAFE_INTEGER;
  return sql<number>`max(min(${column} + ${amount}, ${maximum}), ${-maximum})`;
}
