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

/**
 * The key contains the number of refunds before it: a call after a failure, or after a refund that left money because a dispute held it,
 * makes another refund, and any other call repeats the last refund.
 */
export async function refundRemaining(engine: Engine, payment: Payment, reason: RefundReason): Promise<Refund> {
  const firstKey = firstKeyOf(reason.kind, payment);
  const movements = await gatherMovements(engine.ledger, payment.id);
  const earlier = movements.refunds.filter(({ key }) => key.startsWith(firstKey));
  const [{ available }] = equationsOf(payment, movements);
  const last = earlier.at(-1);
  const isOver = last?.state === "failed" || (last?.state === "completed" && available.minor > 0);
  const existing = isOver ? undefined : last;
  const key = existing?.key ?? (last === undefined ? firstKey : `${firstKey}:${earlier.length + 1}`);
  const amount = existing?.amount ?? { ...available, minor: Math.max(0, available.minor) };
  const request = { paymentId: payment.id, key, amount, origin: "tillkit", allowedStates: CANNOT_COUNT } as const;
  const { kind, ...conditions } = reason;
  return await refundPayment(engine, { ...request, ...conditions });
}

/** Whether an automatic refund of this payment has failed. The same rule would meet the same refusal again, so a person decides. */
export function hasRuleFailed(payment: Payment, refunds: readonly Refund[]): boolean {
  const firstKey = firstKeyOf("rule", payment);
  return refunds.some(({ key, state }) => key.startsWith(firstKey) && state === "failed");
}

function firstKeyOf(kind: RefundReason["kind"], { id }: Payment): string {
  return `${kind}:${id}`;
}

/** `review`: a person decided. `rule`: the merchant configured an automatic refund. */
type RefundReason =
  | { readonly kind: "review"; readonly by: string; readonly stillApplies?: () => Promise<boolean> }
  | { readonly kind: "rule"; readonly stillApplies: () => Promise<boolean> };

/** The states of a payment that does not count for its order. A payment that became paid during the review is not refunded. */
const CANNOT_COUNT: readonly PaymentState[] = ["review", "duplicate", "refunding"];
