import { limits } from "../domain/limits.ts";
import { type Money, toWire } from "../domain/money.ts";
import type { PaidTransaction } from "../domain/movement.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { makeMark } from "../signing/refund-mark.ts";
import type { RefundRequest } from "./refund-payment.ts";

/** A refund that was asked for, with the exact body of its request (POST /refunds) and our mark in its reason. */
export async function newRefund(
  engine: Engine,
  payment: Payment,
  transaction: PaidTransaction,
  amount: Money,
  { paymentId, key, origin, reason = "requested_by_customer" }: RefundRequest,
): Promise<Refund> {
  const now = engine.clock.now();
  const mark = (await takesMarks(engine, payment, now))
    ? makeMark(paymentId, key, origin, engine.referenceKeys[0])
    : null;
  const request = {
    transaction_id: transaction.id,
    amount: toWire(amount, amountUnitOf(payment)),
    reason: mark === null ? reason : `${mark} ${reason}`,
    refund_type: amount.minor === transaction.amount.minor ? "full" : "partial",
  };
  return {
    key,
    paymentId,
    origin,
    amount,
    request: JSON.stringify(request),
    transactionId: transaction.id,
    state: "requested",
    refundId: null,
    requestedAt: now,
    readOnlySince: null,
    mark,
    markReadAt: null,
    unmarkedKey: null,
    otherKeys: [],
  };
}

// A service that refused a mark lately is not asked again with one, unless it has shown a mark since.
async function takesMarks({ ledger }: Engine, { credentialId }: Payment, now: number): Promise<boolean> {
  const { readAt, refusedAt } = await ledger.markHistory(credentialId);
  if (refusedAt === null || now >= refusedAt + limits.markMemoryMs) return true;
  return readAt !== null && readAt > refusedAt;
}
