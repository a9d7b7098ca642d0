import { type Money, sameMoney } from "@tillkit/core";
import type { Effect } from "./miniature-store.ts";

/** What the service and the ledger know about a payment. `waived`: the owner accepted a payment that differs from the order's total. */
export type PaymentFacts = {
  readonly orderId: string;
  readonly completed: boolean;
  readonly paid: Money;
  readonly waived: boolean;
};

/**
 * Compares what a shop shipped with what was really paid, and returns one sentence per violation. An order must be marked paid
 * at most once, and only by a completed payment of this order over exactly its total at that moment.
 */
export function findPaidOrderViolations(
  effects: readonly Effect[],
  factsOf: (paymentId: string) => PaymentFacts | null,
): readonly string[] {
  const lastEffects = new Map<string, Effect>();
  const violations: string[] = [];
  for (const effect of effects) {
    const earlier = lastEffects.get(effect.orderId);
    if (earlier) {
      violations.push(`Order ${effect.orderId} was marked paid again: ${earlier.paymentId}, ${effect.paymentId}.`);
    }
    lastEffects.set(effect.orderId, effect);
    const mismatch = mismatchReason(effect, factsOf(effect.paymentId));
    if (mismatch) violations.push(`Order ${effect.orderId} was marked paid by ${effect.paymentId}, ${mismatch}.`);
  }
  return violations;
}

function mismatchReason({ orderId, total }: Effect, facts: PaymentFacts | null): string | null {
  if (!facts) return "which does not exist";
  if (facts.orderId !== orderId) return `a payment of order ${facts.orderId}`;
  if (!facts.completed) return "which is not completed";
  if (facts.waived || (total && sameMoney(total, facts.paid))) return null;
  const expected = total ? `${total.minor} ${total.currency}` : "its total";
  return `which paid ${facts.paid.minor} ${facts.paid.currency}, not ${expected}`;
}
