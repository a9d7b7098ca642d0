import { type Money, sameMoney } from "@tillkit/core";
import type { Effect } from "./stores/miniature-store.ts";

/** What the service and the ledger know of a payment. `waived`: an owner accepted that the total differs. */
export type PaymentTruth = {
  readonly orderId: string;
  readonly completed: boolean;
  readonly paid: Money;
  readonly waived: boolean;
};

/**
 * Holds what left a shop against what was really paid, one sentence for each broken promise: an order is marked paid at most
 * once, and only by a completed payment of its own, of exactly what it cost at that moment.
 */
export function brokenPromises(
  effects: readonly Effect[],
  truthOf: (paymentId: string) => PaymentTruth | null,
): readonly string[] {
  const paid = new Map<string, Effect>();
  const broken: string[] = [];
  for (const effect of effects) {
    const earlier = paid.get(effect.orderId);
    if (earlier)
      broken.push(`Order ${effect.orderId} was marked paid again: ${earlier.paymentId}, ${effect.paymentId}.`);
    paid.set(effect.orderId, effect);
    const wrong = whatIsWrong(effect, truthOf(effect.paymentId));
    if (wrong) broken.push(`Order ${effect.orderId} was marked paid by ${effect.paymentId}, ${wrong}.`);
  }
  return broken;
}

function whatIsWrong({ orderId, total }: Effect, truth: PaymentTruth | null): string | null {
  if (!truth) return "which nobody knows";
  if (truth.orderId !== orderId) return `a payment of order ${truth.orderId}`;
  if (!truth.completed) return "which is not completed";
  if (truth.waived || (total && sameMoney(total, truth.paid))) return null;
  return `which paid ${truth.paid.minor} ${truth.paid.currency}, not ${total ? `${total.minor} ${total.currency}` : "its total"}`;
}
