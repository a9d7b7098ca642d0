import { createHash } from "node:crypto";
import { isAcceptable, type Money, type Payment, type Refund, refundableAmount } from "@tillkit/core";

/** What the owner can decide about one payment whose money has arrived. */
export type OfferedDecision = {
  /** Names what was shown: state, difference, refunds and remaining amount. A decision about anything else is refused. */
  readonly seen: string;
  readonly canAccept: boolean;
  /** The owner accepts this payment by setting the order to paid, because the order was closed meanwhile. */
  readonly acceptByStatus: boolean;
  /** The part of the money that can still be refunded. */
  readonly refundable: Money;
};

/** Null for a payment that waits for no decision. */
export function offeredDecision(payment: Payment, refunds: readonly Refund[]): OfferedDecision | null {
  const { state, finding, amountReceived } = payment;
  const isHeld = state === "review" && amountReceived !== null;
  if (!isHeld && state !== "duplicate") return null;
  const refundable = refundableAmount(payment, refunds);
  const shown = JSON.stringify([payment.id, state, finding, refundable.minor, refunds.length, countFailed(refunds)]);
  return {
    seen: createHash("sha256").update(shown).digest("hex").slice(0, 32),
    canAccept: isHeld && isAcceptable(finding),
    acceptByStatus: isHeld && finding?.code === "order_not_payable",
    refundable,
  };
}

// After a failed refund the remaining amount is as before, but a new click is a new decision. The same holds while a refund is sent.
function countFailed(refunds: readonly Refund[]): number {
  return refunds.filter(({ state }) => state === "failed").length;
}
