import { addDecimals } from "./decimals.ts";
import { needsPayment, type Shop, type ShopOrder, type ShopRefund, shownTotal } from "./shop.ts";

/** The shop is not in UTC, so that a test fails if its adapter reads the local date instead of the GMT date. */
const UTC_OFFSET_MS = 2 * 3_600_000;

/** A subset of the fields of `GET /wc/v3/orders/{id}`. */
export function restOrder(order: ShopOrder, shop: Shop, origin: string): Record<string, unknown> {
  return {
    id: order.id,
    parent_id: 0,
    number: String(order.id),
    order_key: order.key,
    created_via: "checkout",
    status: order.status,
    currency: order.currency,
    date_created_gmt: dateText(order.createdAt),
    date_modified: dateText(order.modifiedAt + UTC_OFFSET_MS),
    date_modified_gmt: dateText(order.modifiedAt),
    date_paid: order.datePaid === null ? null : dateText(order.datePaid + UTC_OFFSET_MS),
    date_paid_gmt: order.datePaid === null ? null : dateText(order.datePaid),
    date_completed_gmt: order.dateCompleted === null ? null : dateText(order.dateCompleted),
    total: shownTotal(order, shop),
    payment_method: order.paymentMethod,
    payment_method_title: order.paymentMethodTitle,
    transaction_id: order.transactionId,
    customer_id: 7,
    billing: { first_name: "Awa", last_name: "Diop", email: "awa.diop@example.com", phone: "+221771234567" },
    line_items: [{ id: 1, name: order.itemName, quantity: 1, total: shownTotal(order, shop) }],
    refunds: shop.refunds(order.id).map(({ id, amount, reason }) => ({ id, reason, total: `-${amount}` })),
    meta_data: metaOf(order.meta),
    payment_url: `${origin}/checkout/order-pay/${order.id}/?pay_for_order=true&key=${order.key}`,
    needs_payment: needsPayment(order),
  };
}

export function restRefund(refund: ShopRefund): Record<string, unknown> {
  const { id, amount, reason } = refund;
  return { id, amount, reason, refunded_payment: false, meta_data: metaOf(refund.meta) };
}

/** The amount that can still be refunded. */
export function refundable(order: ShopOrder, shop: Shop): string {
  return shop.refunds(order.id).reduce((left, { amount }) => addDecimals(left, `-${amount}`), shownTotal(order, shop));
}

/** Applies `modified_after`, which is in the shop's time zone unless the request has `dates_are_gmt`. */
export function isModifiedAfter(order: ShopOrder, query: URLSearchParams): boolean {
  const after = query.get("modified_after");
  if (after === null) return true;
  const offset = query.get("dates_are_gmt") === "true" ? 0 : UTC_OFFSET_MS;
  return order.modifiedAt + offset > Date.parse(/Z$/.test(after) ? after : `${after}Z`);
}

function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}

function metaOf(meta: Readonly<Record<string, string>>) {
  return Object.entries(meta).map(([key, value], index) => ({ id: index + 1, key, value }));
}
