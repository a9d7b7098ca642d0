import type { Refund } from "@tillkit/core";
import { Refused } from "./refused.ts";
import type { Session } from "./schema.ts";

export async function refundsOf(session: Session, paymentId: string): Promise<readonly Refund[]> {
  const rows = await session
    .selectFrom("tillkit_refunds")
    .selectAll()
    .where("payment_id", "=", paymentId)
    .orderBy("seq")
    .execute();
  return rows.map((row) => ({
    key: row.key,
    paymentId: row.payment_id,
    origin: row.origin,
    amount: { minor: row.amount_minor, currency: row.amount_currency },
    request: row.request,
    transactionId: row.transaction_id,
    state: row.state,
    refundId: row.refund_id,
    askedAt: row.asked_at,
    readOnlySince: row.read_only_since,
    otherKeys: JSON.parse(row.other_keys),
  }));
}

/** Adds a refund, or replaces what was known under its key. @throws Refused when the key belongs to another payment */
export async function putRefund(session: Session, refund: Refund): Promise<void> {
  const news = {
    origin: refund.origin,
    amount_minor: refund.amount.minor,
    amount_currency: refund.amount.currency,
    request: refund.request,
    transaction_id: refund.transactionId,
    state: refund.state,
    refund_id: refund.refundId,
    asked_at: refund.askedAt,
    read_only_since: refund.readOnlySince,
    other_keys: JSON.stringify(refund.otherKeys),
  };
  const { numInsertedOrUpdatedRows } = await session
    .insertInto("tillkit_refunds")
    .values({ key: refund.key, payment_id: refund.paymentId, ...news })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(news).where("tillkit_refunds.payment_id", "=", refund.paymentId),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Refused("taken");
}
