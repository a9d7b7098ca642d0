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
