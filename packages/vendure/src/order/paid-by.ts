import type { Order as VendureOrder, Payment as VendurePayment } from "@vendure/core";

/** The key in the metadata of a Vendure payment under which the id of our payment is stored. Shoppers cannot read or write the id. */
export const PAYMENT_ID = "tillkitPaymentId";

export function paymentIdOf({ metadata }: Pick<VendurePayment, "metadata">): string | null {
  const id = metadata?.[PAYMENT_ID];
  return typeof id === "string" ? id : null;
}

export function isSettledByUs(payment: Pick<VendurePayment, "state" | "metadata">): boolean {
  return payment.state === "Settled" && paymentIdOf(payment) !== null;
}

/** The Vendure payment whose metadata names our payment. */
export function findVendurePayment(
  { payments }: Pick<VendureOrder, "payments">,
  paymentId: string,
): VendurePayment | null {
  return payments.find((payment) => paymentIdOf(payment) === paymentId) ?? null;
}

/** The id of our payment on the order, `outside` if payments by other methods cover the total, or null if the order is unpaid. */
export function paidByOf(order: VendureOrder): string | null {
  const ours = order.payments.map(paymentIdOf).find((id) => id !== null);
  if (ours !== undefined) return ours;
  return order.payments.length > 0 && amountDueOf(order) <= 0 ? "outside" : null;
}

/** The order's total without the amounts that payments by other methods cover, in Vendure's decimals. */
export function amountDueOf({ totalWithTax, payments }: VendureOrder): number {
  const others = payments.filter((payment) => paymentIdOf(payment) === null && coversOrder(payment));
  return totalWithTax - others.reduce((sum, payment) => sum + payment.amount - settledRefundsOf(payment), 0);
}

/** Whether another method has authorized a payment of the order and has not charged it. */
export function hasAuthorizedPart({ payments }: Pick<VendureOrder, "payments">): boolean {
  return payments.some((payment) => paymentIdOf(payment) === null && payment.state === "Authorized");
}

function coversOrder({ state }: VendurePayment): boolean {
  return state === "Settled" || state === "Authorized";
}

/** As Vendure counts what payments cover: a refund counts once it is settled. */
function settledRefundsOf({ refunds = [] }: VendurePayment): number {
  return refunds.filter(({ state }) => state === "Settled").reduce((sum, { total }) => sum + total, 0);
}
