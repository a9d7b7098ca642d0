import { isOwnMethod, META } from "../protocol/names.ts";
import { isPayable, metaOf, type WooOrder } from "./woo-order.ts";

/**
 * What paid the order: the id of our payment, `outside` (another payment method, or another gateway's transaction), `owner`
 * (a person set the order to paid), `unclear` (the order is paid and the cause is unknown), or null while it is unpaid. The
 * plugin computes the same value inside the shop; `vectors/mark-paid.json` tests both.
 */
export function paidByOf(order: WooOrder): string | null {
  if (!hasDate(order.date_paid_gmt) && !PAID_STATUSES.has(order.status)) return null;
  const { payment_method: method, transaction_id: transaction } = order;
  const paymentId = isOwnMethod(method) ? ownPaymentOf(order) : "";
  if (paymentId !== "") return isReopened(order) && metaOf(order, META.lost) === paymentId ? null : paymentId;
  const hasOtherMethod = method !== "" && !isOwnMethod(method);
  // Our transaction never stands on an order without the id of our payment.
  const hasOtherTransaction = transaction !== "" && !hasCopiedPayment(order);
  if (hasOtherMethod || hasOtherTransaction) return "outside";
  return paidWithoutPayment(order);
}

/**
 * Whether the order names our payment although its owner reopened it. It waits for another payment if that payment was refunded or
 * lost, which only the ledger knows until the order's meta says it.
 */
export function mayWaitForAnotherPayment(order: WooOrder): boolean {
  return isReopened(order) && paidByOf(order) !== null && paidByOf(order) === ownPaymentOf(order);
}

/** The id of our payment that paid this order, or "". The copied payment of another order proves nothing. */
export function ownPaymentOf(order: WooOrder): string {
  return hasCopiedPayment(order) ? "" : metaOf(order, META.payment);
}

function hasCopiedPayment(order: WooOrder): boolean {
  return !["", String(order.id)].includes(metaOf(order, META.paymentOrder));
}

function isReopened(order: WooOrder): boolean {
  return isPayable(order) && !isStaleHold(order);
}

/** What paid an order that shows neither our payment nor another method or transaction. */
function paidWithoutPayment(order: WooOrder): "owner" | "unclear" | null {
  const { status } = order;
  const isHeld = status === "on-hold" && !isStaleHold(order);
  const awaitsPayment = order.needs_payment && !PAID_STATUSES.has(status);
  if (UNPAID_STATUSES.has(status) || awaitsPayment || isHeld) return null;
  const markedPaid = readMarkedPaidMeta(order);
  if (markedPaid) return markedPaid.by === "" ? "unclear" : "owner";
  const wasSetToPaid = PAID_STATUSES.has(status) || status === "on-hold";
  const hasOtherGatewayMeta = order.meta_data.some(({ key }) => OTHER_GATEWAY_META.test(key));
  return wasSetToPaid && !hasOtherGatewayMeta ? "owner" : "unclear";
}

/**
 * Who set the order to paid by hand, and when (milliseconds since 1970). The plugin stores a role and a user id; without the
 * plugin only the date of payment is known.
 */
export function readMarkedPaid(order: WooOrder): { readonly by: string; readonly at: number } {
  const markedPaid = readMarkedPaidMeta(order);
  if (markedPaid) return { by: markedPaid.by, at: markedPaid.at * 1_000 };
  const at = Date.parse(`${order.date_paid_gmt}Z`);
  return { by: "staff", at: Number.isNaN(at) ? 0 : at };
}

/**
 * A stale hold is a hold of the checkout server that was applied after the owner had set the order to paid. The meta `hold` is
 * written only to orders without a date of payment, and every later change of the status removes it. An order on hold that has
 * this meta and a date of payment was therefore paid before the hold was applied.
 */
export function isStaleHold(order: WooOrder): boolean {
  return order.status === "on-hold" && hasDate(order.date_paid_gmt) && metaOf(order, META.hold) !== "";
}

/** The status that the owner had set before the stale hold. */
export function ownerStatus(order: WooOrder): string {
  return readMarkedPaidMeta(order)?.status ?? (hasDate(order.date_completed_gmt) ? "completed" : "processing");
}

/** Orders in these statuses are unpaid even with a date of payment: WooCommerce never removes that date. */
const UNPAID_STATUSES: ReadonlySet<string> = new Set([
  "pending",
  "failed",
  "checkout-draft",
  "cancelled",
  "refunded",
  "trash",
]);
const PAID_STATUSES: ReadonlySet<string> = new Set(["processing", "completed"]);

/** Order meta of other payment gateways. It proves an attempt, not a payment. */
const OTHER_GATEWAY_META =
  /^_(?:stripe|wcpay|ppcp|paypal|mollie|square|klarna|razorpay|adyen|braintree)_|^_(?:intent|charge)_id$/;

function hasDate(date: string | null | undefined): boolean {
  return typeof date === "string" && date !== "";
}

type MarkedPaidMeta = { readonly by: string; readonly at: number; readonly status: string };

function readMarkedPaidMeta(order: WooOrder): MarkedPaidMeta | null {
  try {
    const stored: unknown = JSON.parse(metaOf(order, META.markedPaid));
    if (
      typeof stored !== "object" ||
      stored === null ||
      !("by" in stored) ||
      !("at" in stored) ||
      !("status" in stored)
    )
      return null;
    const { by, at, status } = stored;
    const isValid = typeof by === "string" && Number.isSafeInteger(at) && typeof status === "string";
    return isValid ? { by, at: Number(at), status } : null;
  } catch {
    return null;
  }
}
