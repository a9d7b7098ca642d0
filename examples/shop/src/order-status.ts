import type { Payment, PaymentStatus } from "@tillkit/core";
import type { ShopOrder } from "./orders.ts";

/**
 * The status that the order page shows. messages.ts has a text for each. `recording`: the payment arrived, and the shop has not
 * recorded it yet. `held`: money arrived, and the owner must decide. `voided`: the shop cancelled the order. `gone`: a product is
 * sold out. `cancelled`: the shopper left the hosted page. `unavailable`: no hosted page could be opened.
 */
export type OrderStatus =
  | "paid"
  | "recording"
  | "held"
  | "refunded"
  | "voided"
  | "gone"
  | "waiting"
  | "cancelled"
  | "refused"
  | "expired"
  | "unavailable"
  | "unpaid";

/** Returns the payment that the page shows: the one that paid the order, else a received one, else an open one, else the newest. */
export function paymentToShow(order: ShopOrder, payments: readonly Payment[]): Payment | null {
  const newestFirst = [...payments].reverse();
  const preferences = [
    (payment: Payment) => payment.id === order.paymentId,
    ({ state }: Payment) => state === "verified" || state === "review" || state === "refunding",
    ({ state }: Payment) => state === "open" || state === "intent",
  ];
  const preferred = preferences.map((matches) => newestFirst.find(matches)).find((payment) => payment !== undefined);
  return preferred ?? newestFirst[0] ?? null;
}

export type StatusInput = {
  readonly order: ShopOrder;
  /** The status of the shown payment, or null without one. */
  readonly paymentStatus: PaymentStatus | null;
  /** Whether an attempt on the hosted page failed. Another attempt may be in progress. */
  readonly declined: boolean;
  /** The outcome in the page's URL. It only selects the text of an unpaid order and never makes an order paid. */
  readonly outcome: string;
};

/** Considers the payment first, then the shop's order, then the shopper's action. */
export function orderStatus({ order, paymentStatus, declined, outcome }: StatusInput): OrderStatus {
  if (paymentStatus?.status === "refunded") return "refunded";
  if (order.paymentId) return "paid";
  if (paymentStatus?.status === "recording" || paymentStatus?.status === "paid") return "recording";
  if (paymentStatus?.status === "held" || paymentStatus?.status === "duplicate") return "held";
  if (order.state === "cancelled") return "voided";
  if (!order.inStock) return "gone";
  return unpaidStatus(paymentStatus, declined ? "refused" : outcome);
}

/** Whether the status can change without the shopper, so that the page polls. An expired session can still succeed. */
export function mayStillChange(paymentStatus: PaymentStatus | null): boolean {
  return (
    paymentStatus?.status === "waiting" || paymentStatus?.status === "recording" || paymentStatus?.status === "expired"
  );
}

/** Whether the page offers to pay. */
export function isPayable(status: OrderStatus): boolean {
  return ["waiting", "cancelled", "refused", "expired", "unavailable", "unpaid"].includes(status);
}

function unpaidStatus(paymentStatus: PaymentStatus | null, outcome: string): OrderStatus {
  if (outcome === "unavailable") return "unavailable";
  if (paymentStatus === null) return "unpaid";
  if (paymentStatus.status === "expired") return paymentStatus.payment.session ? "expired" : "unavailable";
  if (outcome === "cancelled" || outcome === "refused") return outcome;
  return outcome === "waiting" || outcome === "paid" ? "waiting" : "unpaid";
}
