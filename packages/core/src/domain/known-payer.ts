import type { Finding } from "./finding.ts";
import type { Order } from "./order.ts";
import type { Payment } from "./payment.ts";

type ReadOrder = Order | "unreadable" | null;

/**
 * The order, which shows no payment id but one of its own payments. Any other id proves nothing: another plug-in copied the order with what
 * it shows, or this ledger forgot the payment. Then a person decides, and no rule refunds.
 */
export function withKnownPayer(order: ReadOrder, payments: readonly Pick<Payment, "id">[]): ReadOrder {
  if (order === null || order === "unreadable" || order.paidBy === null) return order;
  const { paidBy } = order;
  const isKnown = ["outside", "owner", "unclear"].includes(paidBy) || payments.some(({ id }) => id === paidBy);
  return isKnown ? order : { ...order, paidBy: "unclear" };
}

/** What paid the order according to its store (see `Order`); null for an unpaid order, and for an order that cannot be read. */
export function paidByOf(order: ReadOrder): string | null {
  return order === null || order === "unreadable" ? null : order.paidBy;
}

/** The store shows the order as paid without naming a payment: the merchant marked it as paid, or the store cannot tell what paid it. */
export function isPaidWithoutNamedPayment(order: ReadOrder): order is Order {
  const shown = paidByOf(order);
  return shown === "owner" || shown === "unclear";
}

/** The finding for an order that is paid, but not by one of our payments; null for every other order. */
export function findPaidOutside(order: ReadOrder): Finding | null {
  if (!isPaidWithoutNamedPayment(order)) return null;
  const { paidBy, markedPaid } = order;
  if (paidBy !== "owner") return { code: "paid_outside", paidBy: "unclear", markedBy: null };
  return { code: "paid_outside", paidBy, markedBy: markedPaid?.by ?? null };
}
