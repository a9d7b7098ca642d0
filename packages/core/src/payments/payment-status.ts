import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";

/**
 * A payment's status as a shopper sees it. `recording`: paid, and the write to the store is in progress. `held`: money arrived
 * with a difference that the merchant reviews. `expired`: the session can no longer be paid; a late success still counts.
 */
export type PaymentStatus = {
  readonly status: "waiting" | "recording" | "paid" | "held" | "duplicate" | "expired" | "refunded";
  readonly payment: Payment;
};

const STATUS_OF = {
  intent: "waiting",
  open: "waiting",
  superseded: "expired",
  expired: "expired",
  closed: "expired",
  verified: "recording",
  recorded: "paid",
  review: "held",
  duplicate: "duplicate",
  refunding: "refunded",
  refunded: "refunded",
} as const satisfies Record<PaymentState, PaymentStatus["status"]>;

export function paymentStatusOf(payment: Payment): PaymentStatus {
  // Nobody is told that money has arrived which a dispute took back.
  return { status: payment.lostToDispute ? "refunded" : STATUS_OF[payment.state], payment };
}
