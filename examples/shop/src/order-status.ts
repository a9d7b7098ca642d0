import type { Payment, PaymentStatus } from "@tillkit/core";
import type { ShopOrder } from "./orders.ts";

/** What the order page says. The words of each stand in words.ts under the same name. */
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
  | "lapsed"
  | "unavailable"
  | "unpaid";

/** The payment that decides what the page says: the one that paid, else the one that may still be paid, else the last. */
export function payingPayment(order: ShopOrder, payments: readonly Payment[]): Payment | null {
  const newestFirst = [...payments].reverse();
  const wanted = [
    (payment: Payment) => payment.id === order.paymentId,
    ({ state }: Payment) => state === "verified" || state === "review" || state === "refunding",
    ({ state }: Payment) => state === "open" || state === "intent",
  ];
  const found = wanted.map((fits) => newestFirst.find(fits)).find((payment) => payment !== undefined);
  return found ?? newestFirst[0] ?? null;
}

export type StatusInput = {
  readonly order: ShopOrder;
  /** Of the payment that decides, null when there is none. */
  readonly paymentStatus: PaymentStatus | null;
  /** A try on the hosted page failed; another one may be under way. */
  readonly declined: boolean;
  /** What the address of the page claims: it chooses between kinds of "not yet", and never makes an order paid. */
  readonly outcome: string;
};

/** Money first, then what the shop says, then what the shopper did. */
export function orderStatus({ order, paymentStatus, declined, outcome }: StatusInput): OrderStatus {
  if (paymentStatus?.status === "refunded") return "refunded";
  if (order.paymentId) return "paid";
  if (paymentStatus?.status === "recording" || paymentStatus?.status === "paid") return "recording";
  if (paymentStatus?.status === "held" || paymentStatus?.status === "duplicate") return "held";
  if (order.state === "cancelled") return "voided";
  if (!order.inStock) return "gone";
  return unpaidStatus(paymentStatus, declined ? "refused" : outcome);
}

/** Whether the page may change by itself, so that it is worth asking again. A late success counts after expiry too. */
export function isUnsettled(paymentStatus: PaymentStatus | null): boolean {
  return (
    paymentStatus?.status === "waiting" || paymentStatus?.status === "recording" || paymentStatus?.status === "lapsed"
  );
}

/** Whether the page offers to pay. */
export function isPayable(status: OrderStatus): boolean {
  return ["waiting", "cancelled", "refused", "lapsed", "unavailable", "unpaid"].includes(status);
}

function unpaidStatus(paymentStatus: PaymentStatus | null, outcome: string): OrderStatus {
  if (outcome === "unavailable") return "unavailable";
  if (paymentStatus === null) return "unpaid";
  if (paymentStatus.status === "lapsed") return paymentStatus.payment.session ? "lapsed" : "unavailable";
  if (outcome === "cancelled" || outcome === "refused") return outcome;
  return outcome === "waiting" || outcome === "paid" ? "waiting" : "unpaid";
}
