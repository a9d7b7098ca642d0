import { type Clock, type Money, parseMoney } from "@tillkit/core";
import type { Exchange } from "./amounts.ts";
import type { RootFields } from "./graphql-api.ts";
import { connection, metafieldView, orderView, refundView, transactionView } from "./order-view.ts";
import { findOrders } from "./orders-query.ts";
import {
  balanceOf,
  canMarkAsPaid,
  capturable,
  type OrderRefund,
  outstandingByHand,
  type ShopOrder,
  type ShopOrders,
} from "./shop-orders.ts";
import type { ShopBook } from "./shop-record.ts";
import { apiVersions } from "./versions.ts";
import { subscriptionFields, type WebhookSubscriptions } from "./webhook-subscriptions.ts";

export type AdminDesk = {
  readonly clock: Clock;
  readonly domain: string;
  readonly origin: string;
  readonly currency: string;
  readonly orders: ShopOrders;
  readonly subscriptions: WebhookSubscriptions;
  readonly book: ShopBook;
  scopes(): readonly string[];
  exchangeOf(order: ShopOrder): Exchange & { readonly origin: string };
  onOrderChange(order: ShopOrder, topic: "orders/updated" | "orders/cancelled"): void;
  onRefund(order: ShopOrder, refund: OrderRefund): void;
};

type Input<T> = { readonly input: T };
type CaptureInput = {
  readonly id: string;
  readonly parentTransactionId: string;
  readonly amount: string;
  readonly currency?: string | null;
};
type RefundInput = {
  readonly orderId: string;
  readonly note?: string | null;
  readonly currency?: string | null;
  readonly transactions?: readonly { readonly amount: string; readonly kind: string }[] | null;
};
type MetafieldInput = {
  readonly ownerId: string;
  readonly namespace?: string | null;
  readonly key: string;
  readonly type?: string | null;
  readonly value: string;
};

/** What the simulator answers of the Admin API: orders, their payments and refunds, webhooks, the shop. */
export function adminRootFields(desk: AdminDesk): RootFields {
  const { clock, orders } = desk;
  const view = (order: ShopOrder | null) => order && orderView(order, desk.exchangeOf(order));
  return {
    publicApiVersions: () => apiVersions(clock.now()),
    shop: () => shopView(desk),
    currentAppInstallation: () => ({
      id: "gid://shopify/AppInstallation/1",
      accessScopes: desk.scopes().map((handle) => ({ handle, description: handle })),
    }),
    order: ({ id }: { id: string }) => view(orders.find(id)),
    node: ({ id }: { id: string }) => view(orders.find(id)),
    refund: ({ id }: { id: string }) => {
      const order = orders.all.find(({ refunds }) => refunds.some((refund) => refund.id === id));
      const refund = order?.refunds.find((each) => each.id === id);
      return order && refund ? { ...refundView(order, refund, desk.exchangeOf(order)), order: view(order) } : null;
    },
    orders: (args: Parameters<typeof findOrders>[1]) => {
      const { found, more } = findOrders(orders.all, args);
      return connection(found.map(view), more);
    },
    orderCapture: ({ input }: Input<CaptureInput>) => captureOrder(desk, input),
    orderCreateManualPayment: (args: ManualPayment) => payManually(desk, args),
    orderMarkAsPaid: ({ input }: Input<{ id: string }>) => markAsPaid(desk, input.id),
    orderCancel: (args: Cancellation) => cancelOrder(desk, args),
    orderUpdate: ({ input }: Input<{ id: string; note?: string | null; tags?: readonly string[] | null }>) =>
      updateOrder(desk, input),
    refundCreate: ({ input }: Input<RefundInput>) => refundOrder(desk, input),
    tagsAdd: ({ id, tags }: { id: string; tags: readonly string[] }) => addTags(desk, id, tags),
    metafieldsSet: ({ metafields }: { metafields: readonly MetafieldInput[] }) => setMetafields(desk, metafields),
    ...subscriptionFields(desk.subscriptions, clock),
  };
}

function shopView({ domain, origin, currency }: AdminDesk) {
  return {
    id: "gid://shopify/Shop/954889",
    name: domain.slice(0, domain.indexOf(".")),
    email: "owner@shop.example",
    contactEmail: "hello@shop.example",
    myshopifyDomain: domain,
    url: origin,
    currencyCode: currency,
    ianaTimezone: "Africa/Abidjan",
    primaryDomain: { id: "gid://shopify/Domain/1", host: domain, url: origin },
  };
}

function captureOrder(desk: AdminDesk, { id, parentTransactionId, amount, currency }: CaptureInput) {
  const no = (field: string, message: string) => ({ transaction: null, userErrors: [userError([field], message)] });
  const order = desk.orders.find(id);
  if (!order) return no("id", "Order does not exist");
  const parent = order.transactions.find((each) => each.id === parentTransactionId);
  if (!parent) return no("parentTransactionId", "Parent transaction does not exist");
  const mustName = desk.currency !== order.total.currency;
  if ((currency ?? (mustName ? null : desk.currency)) !== order.total.currency) {
    return no("currency", "Currency must match the presentment currency of the order");
  }
  const sum = exact(amount, order.total.currency);
  if (!sum || sum.minor <= 0) return no("amount", "Amount must be greater than zero");
  if (sum.minor > capturable(order, parent)) return no("amount", "Amount cannot be greater than the authorized amount");
  const { gateway } = parent;
  const booked = received(desk, order, { kind: "CAPTURE", amount: sum, gateway, parentId: parent.id, manual: true });
  return { transaction: transactionView(order, booked, desk.exchangeOf(order)), userErrors: [] };
}

type ManualPayment = {
  readonly id: string;
  readonly amount?: { readonly amount: string; readonly currencyCode: string } | null;
  readonly paymentMethodName?: string | null;
  readonly processedAt?: string | null;
};

function payManually(desk: AdminDesk, { id, amount, paymentMethodName, processedAt }: ManualPayment) {
  const no = (code: string, field: string, message: string) => ({
    order: null,
    userErrors: [{ code, ...userError([field], message) }],
  });
  const order = desk.orders.find(id);
  if (!order) return no("ORDER_NOT_FOUND", "id", "Order not found");
  const { outstanding } = balanceOf(order);
  if (amount && amount.currencyCode !== order.total.currency) {
    return no("CURRENCY_MISMATCH", "amount", "The currency must match the presentment currency of the order");
  }
  const sum = amount ? exact(amount.amount, amount.currencyCode) : outstanding;
  if (!sum || sum.minor <= 0) return no("AMOUNT_NOT_POSITIVE", "amount", "The amount must be positive");
  const gateway = paymentMethodName ?? "Other";
  if (gateway.trim() === "") return no("GATEWAY_NOT_FOUND", "paymentMethodName", "The payment method was not found");
  if (processedAt && Date.parse(processedAt) > desk.clock.now()) {
    return no("PROCESSED_AT_INVALID", "processedAt", "processedAt cannot be in the future");
  }
  if (order.cancelledAt !== null || sum.minor > outstanding.minor) {
    return no("AMOUNT_EXCEEDS_BALANCE", "amount", "The amount exceeds the balance of the order");
  }
  received(desk, order, { kind: "SALE", amount: sum, gateway, parentId: null, manual: true });
  return { order: orderView(order, desk.exchangeOf(order)), userErrors: [] };
}

function markAsPaid(desk: AdminDesk, id: string) {
  const order = desk.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (!canMarkAsPaid(order)) return { order: null, userErrors: [userError(["id"], "Order cannot be marked as paid.")] };
  received(desk, order, outstandingByHand(order));
  return { order: orderView(order, desk.exchangeOf(order)), userErrors: [] };
}

type Cancellation = {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly staffNote?: string | null;
};

function cancelOrder(desk: AdminDesk, { orderId, reason, restock, staffNote }: Cancellation) {
  const no = (code: string, message: string) => {
    const error = { code, ...userError(["orderId"], message) };
    return { job: null, orderCancelUserErrors: [error], userErrors: [error] };
  };
  const order = desk.orders.find(orderId);
  if (!order) return no("NOT_FOUND", "Order does not exist");
  if (order.cancelledAt !== null) return no("INVALID", "Order has already been cancelled");
  order.cancelledAt = desk.clock.now();
  order.cancelReason = reason;
  order.restocked = restock;
  if (staffNote) order.note = staffNote;
  desk.orders.touch(order);
  desk.onOrderChange(order, "orders/cancelled");
  return {
    job: { id: "gid://shopify/Job/1", done: true },
    orderCancelUserErrors: [],
    userErrors: [],
  };
}

function updateOrder(
  desk: AdminDesk,
  { id, note, tags }: { id: string; note?: string | null; tags?: readonly string[] | null },
) {
  const order = desk.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (note !== undefined) order.note = note;
  if (tags) order.tags.splice(0, order.tags.length, ...tags);
  desk.orders.touch(order);
  return { order: orderView(order, desk.exchangeOf(order)), userErrors: [] };
}

function refundOrder(desk: AdminDesk, { orderId, note, currency, transactions }: RefundInput) {
  const no = (field: string, message: string) => ({
    refund: null,
    order: null,
    userErrors: [userError([field], message)],
  });
  const order = desk.orders.find(orderId);
  if (!order) return no("orderId", "Order does not exist");
  if (desk.currency !== order.total.currency && currency !== order.total.currency) {
    return no("currency", "Currency must match the presentment currency of the order");
  }
  const sums = (transactions ?? []).map(({ amount }) => exact(amount, order.total.currency)?.minor ?? -1);
  const minor = sums.reduce((sum, each) => sum + each, 0);
  const { received: paid, refunded } = balanceOf(order);
  if (minor <= 0 || sums.some((sum) => sum < 0)) return no("transactions", "Refund amount must be greater than zero");
  if (minor > paid.minor - refunded.minor)
    return no("transactions", "Refund amount cannot be greater than the amount paid");
  const refund = desk.orders.refund(order, { minor, currency: order.total.currency }, note ?? null);
  desk.book.note({ at: desk.clock.now(), what: "refunded", id: refund.id, of: order.id, amount: refund.amount });
  desk.onRefund(order, refund);
  const exchange = desk.exchangeOf(order);
  return { refund: refundView(order, refund, exchange), order: orderView(order, exchange), userErrors: [] };
}

function addTags(desk: AdminDesk, id: string, tags: readonly string[]) {
  const order = desk.orders.find(id);
  if (!order) return { node: null, userErrors: [userError(["id"], "Order does not exist")] };
  const wanted = tags.flatMap((tag) => tag.split(",")).map((tag) => tag.trim());
  for (const tag of wanted) if (!order.tags.includes(tag)) order.tags.push(tag);
  desk.orders.touch(order);
  return { node: orderView(order, desk.exchangeOf(order)), userErrors: [] };
}

function setMetafields(desk: AdminDesk, metafields: readonly MetafieldInput[]) {
  const set = metafields.map(({ ownerId, namespace, key, type, value }) => {
    const order = desk.orders.find(ownerId);
    if (!order) return null;
    const name = `${namespace ?? "$app"}.${key}`;
    const id = order.metafields.get(name)?.id ?? `gid://shopify/Metafield/${order.number}${order.metafields.size}`;
    order.metafields.set(name, { id, type: type ?? "single_line_text_field", value });
    desk.orders.touch(order);
    return metafieldView(order, name);
  });
  if (!set.includes(null)) return { metafields: set, userErrors: [] };
  const error = { code: "INVALID", elementIndex: null, ...userError(["metafields"], "Owner does not exist") };
  return { metafields: [], userErrors: [error] };
}

function received(desk: AdminDesk, order: ShopOrder, payment: Parameters<ShopOrders["receive"]>[1]) {
  const booked = desk.orders.receive(order, payment);
  desk.book.note({ at: desk.clock.now(), what: "order-paid", id: order.id, of: order.name, amount: payment.amount });
  desk.onOrderChange(order, "orders/updated");
  return booked;
}

function userError(field: readonly string[], message: string) {
  return { field, message };
}

function exact(text: string, currency: string): Money | null {
  try {
    return parseMoney(text, currency);
  } catch {
    return null;
  }
}
