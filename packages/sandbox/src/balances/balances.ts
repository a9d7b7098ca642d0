import { type RawBuilder, sql } from "kysely";
import type { Owner } from "../payments/sessions.ts";
import type { Change } from "../service/service.ts";
import type { BalanceRow } from "../storage/money-tables.ts";
import type { Rows } from "../storage/open-store.ts";
import type { TransactionRow } from "../storage/tables.ts";

/** Whose money, in which currency. */
export type Purse = Pick<BalanceRow, "organization_id" | "environment" | "currency_code">;

/** A completed payment adds its net amount; card money is held back for an advance when the switch says so. */
export async function creditPayment(change: Change, transaction: TransactionRow): Promise<void> {
  const held = change.service.settings.holdCardFunds && transaction.provider_code === "CARD";
  const { net_amount } = transaction;
  await moveFunds(change, transaction, held ? { held: net_amount } : { available: net_amount });
}

/** Adds to what is available and held; negative amounts subtract. */
export async function moveFunds(
  change: Change,
  { organization_id, environment, currency_code }: Purse,
  { available = 0, held = 0 }: { available?: number; held?: number },
): Promise<void> {
  await change.rows
    .insertInto("balances")
    .values({ organization_id, environment, currency_code, available, held, updated_at: change.now })
    .onConflict((on) =>
      on.columns(["organization_id", "environment", "currency_code"]).doUpdateSet({
        available: added(sql.ref("balances.available"), available),
        held: added(sql.ref("balances.held"), held),
        updated_at: change.now,
      }),
    )
    .execute();
}

/** What is there of one currency; zeros when nothing ever moved. */
export async function fundsIn(rows: Rows, purse: Purse): Promise<Pick<BalanceRow, "available" | "held">> {
  const row = await rows
    .selectFrom("balances")
    .select(["available", "held"])
    .where("organization_id", "=", purse.organization_id)
    .where("environment", "=", purse.environment)
    .where("currency_code", "=", purse.currency_code)
    .executeTakeFirst();
  return row ?? { available: 0, held: 0 };
}

/** Every currency in which something moved, and the merchant's own one in any case. */
export async function balancesOf(rows: Rows, { organization, environment }: Owner): Promise<readonly BalanceRow[]> {
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
function added(column: RawBuilder<unknown>, amount: number): RawBuilder<number> {
  const most = Number.MAX_SAFE_INTEGER;
  return sql<number>`max(min(${column} + ${amount}, ${most}), ${-most})`;
}
