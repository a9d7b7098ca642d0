import { equationsOf } from "../domain/equation.ts";
import type { Payment } from "../domain/payment.ts";
import type { PaymentState } from "../domain/payment-states.ts";
import type { Refund } from "../domain/refund.ts";
import type { Engine } from "../engine.ts";
import { gatherMovements } from "../payments/gather-movements.ts";
import { getPayment } from "../payments/get-payment.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import type { ReviewDecision } from "./accept-review.ts";

/**
 * Refunds the remaining amount of a payment under review or of a duplicate. Repeated calls make one refund; a call after a failed
 * refund makes another refund.
 *
 * @throws CheckoutError as refundPayment does
 */
export async function refundReview(engine: Engine, { paymentId, ...decision }: ReviewDecision): Promise<Refund> {
  return await refundRemaining(engine, await getPayment(engine, paymentId), { kind: "review", ...decision });
}

/** The key contains the number of failed refunds: a call after a failure makes another refund, and any other call repeats the last refund. */
export async function refundRemaining(engine: Engine, payment: Payment, reason: RefundReason): Promise<Refund> {
  const firstKey = `${reason.kind}:${payment.id}`;
  const movements = await gatherMovements(engine.ledger, payment.id);
  const known = movements.refunds;
  const failedCount = known.filter(({ key, state }) => key.startsWith(firstKey) && state === "failed").length;
  const key = failedCount === 0 ? firstKey : `${firstKey}:${failedCount + 1}`;
  const existing = known.find((refund) => refund.key === key);
  const [{ available }] = equationsOf(payment, movements);
  const amount = existing?.amount ?? { ...available, minor: Math.max(0, available.minor) };
  const request = { paymentId: payment.id, key, amount, origin: "tillkit", allowedStates: CANNOT_COUNT } as const;
  const { kind, ...conditions } = reason;
  return await refundPayment(engine, { ...request, ...conditions });
}

/** `review`: a person decided. `rule`: the merchant configured an automatic refund. */
type RefundReason =
  | { readonly kind: "review"; readonly by: string; readonly stillApplies?: () => Promise<boolean> }
  | { readonly kind: "rule"; readonly stillApplies: () => Promise<boolean> };

/** The states of a payment that does not count for its order. A payment that became paid during the review is not refunded. */
const CANNOT_COUNT: readonly PaymentState[] = ["review", "duplicate", "refunding"];
