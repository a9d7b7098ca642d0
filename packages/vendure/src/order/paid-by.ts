import type { Order as VendureOrder, Payment as VendurePayment } from "@vendure/core";

/** The name in a Vendure payment's metadata that holds the id of our payment. Shoppers cannot read or write it. */
export const PAYMENT_ID = "tillkitPaymentId";

export function paymentIdOf({ metadata }: Pick<VendurePayment, "metadata">): string | null {
  const id = metadata?.[PAYMENT_ID];
  return typeof id === "string" ? id : null;
}

/** The Vendure payment that shows our payment. */
export function findVendurePayment(
  { payments }: Pick<VendureOrder, "payments">,
  paymentId: string,
): VendurePayment | null {
  return payments.find((payment) => paymentIdOf(payment) === paymentId) ?? null;
}

/** One of our payment ids, `outside` when other payments cover the total, or null. */
export function paidByOf(order: VendureOrder): string | null {
  const ours = order.payments.map(paymentIdOf).find((id) => id !== null);
  if (ours !== undefined) return ours;
  return order.payments.length > 0 && amountDueOf(order) <= 0 ? "outside" : null;
}

/** What is left to pay once every payment of other methods is counted, in Vendure's decimals. */
export function amountDueOf({ totalWithTax, payments }: VendureOrder): number {
  const others = payments.filter((payment) => paymentIdOf(payment) === null && counts(payment));
  return totalWithTax - others.reduce((sum, payment) => sum + payment.amount - refundedOf(payment), 0);
}

function counts({ state }: VendurePayment): boolean {
  return state === "Settled" || state === "Authorized";
}

function refundedOf({ refunds = [] }: VendurePayment): number {
  return refunds.filter(({ state }) => state === "Settled").reduce((sum, { total }) => sum + total, 0);
}
