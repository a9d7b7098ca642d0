import { type RawBuilder, sql } from "kysely";
import type { Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { BalanceRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/payment-tables.ts";

/** Whose money, in which currency. */
export type BalanceKey = Pick<BalanceRow, "organization_id" | "environment" | "currency_code">;

/** A completed payment adds its net amount; card money is held back for an advance when the switch says so. */
export async function creditPayment(context: WriteContext, transaction: TransactionRow): Promise<void> {
  const held = context.service.settings.holdCardFunds && transaction.provider_code === "CARD";
  const { net_amount } = transaction;
  await moveFunds(context, transaction, held ? { held: net_amount } : { available: net_amount });
}

/** Adds to what is available and held; negative amounts subtract. */
export async function moveFunds(
  context: WriteContext,
  { organization_id, environment, currency_code }: BalanceKey,
  { available = 0, held = 0 }: { available?: number; held?: number },
): Promise<void> {
  await context.rows
    .insertInto("balances")
    .values({ organization_id, environment, currency_code, available, held, updated_at: context.now })
    .onConflict((on) =>
      on.columns(["organization_id", "environment", "currency_code"]).doUpdateSet({
        available: saturatingSum(sql.ref("balances.available"), available),
        held: saturatingSum(sql.ref("balances.held"), held),
        updated_at: context.now,
      }),
    )
    .execute();
}

/** What is there of one currency; zeros when nothing ever moved. */
export async function readFunds(rows: Rows, key: BalanceKey): Promise<Pick<BalanceRow, "available" | "held">> {
  const row = await rows
    .selectFrom("balances")
    .select(["available", "held"])
    .where("organization_id", "=", key.organization_id)
    .where("environment", "=", key.environment)
    .where("currency_code", "=", key.currency_code)
    .executeTakeFirst();
  return row ?? { available: 0, held: 0 };
}

/** Every currency in which something moved, and the merchant's own one in any case. */
export async function listBalances(rows: Rows, { organization, environment }: Owner): Promise<readonly BalanceRow[]> {
  const { organization_id, default_currency, created_at } = organization;
  const found = await rows
    .selectFrom("balances")
    .selectAll()
    .where("organization_id", "=", organization_id)
    .where("environment", "=", environment)
    .orderBy("currency_code")
    .execute();
  if (found.some((row) => row.currency_code === default_currency)) return found;
  const own = { organization_id, environment, currency_code: default_currency };
  return [...found, { ...own, available: 0, held: 0, updated_at: created_at }];
}

/** Stops at the largest whole number that JSON can say, instead of failing. */
function saturatingSum(column: RawBuilder<unknown>, amount: number): RawBuilder<number> {
  const maximum = Number.MAX_SAFE_INTEGER;
  return sql<number>`max(min(${column} + ${amount}, ${maximum}), ${-maximum})`;
}
