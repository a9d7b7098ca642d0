import type { OrderFact } from "../facts/facts.ts";

/** What an order costs in this currency, in minor units; null when the shop shows no amount in it. */
export function amountIn(order: OrderFact, currency: string): number | null {
  const { paid, total, otherTotal } = order;
  if (paid?.currency === currency) return paid.minor;
  if (total.currency === currency) return total.minor;
  return otherTotal?.currency === currency ? otherTotal.minor : null;
}

/** What the shop shows as given back of an order, in this currency and in minor units. */
export function refundedIn(order: OrderFact, currency: string): number {
  const whole = amountIn(order, currency) ?? 0;
  const { refunded, total, state } = order;
  if (refunded === null) return state === "refunded" ? whole : 0;
  if (refunded.currency === currency) return refunded.minor;
  // The shop keeps refunds in its own currency: the same share of what the shopper paid.
  return total.minor === 0 || refunded.currency !== total.currency
    ? 0
    : Math.round((refunded.minor / total.minor) * whole);
}

/** Whether the shop shows the order as paid, in full, in part, or before it was given back. */
export function isShownPaid({ state }: OrderFact): boolean {
  return state === "paid" || state === "partial" || state === "refunded";
}
