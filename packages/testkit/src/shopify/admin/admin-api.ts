import { type Clock, type Money, parseMoney } from "@tillkit/core";
import { GraphQLError } from "graphql";
import { apiVersions } from "../graphql/api-versions.ts";
import { connection } from "../graphql/connection.ts";
import type { RootFields } from "../graphql/graphql-operation.ts";
import type { WritableShopRecord } from "../shop-record.ts";
import { metafieldView, type OrderContext, orderView, refundView, transactionView } from "./order-view.ts";
import { findOrders } from "./orders-query.ts";
import {
  balanceOf,
  canMarkAsPaid,
  capturableMinor,
  type OrderRefund,
  outstandingPayment,
  type ShopOrder,
  type ShopOrders,
} from "./shop-orders.ts";
import { subscriptionFields, type WebhookSubscriptions } from "./webhook-subscriptions.ts";

export type ShopPlan = "development" | "basic" | "plus";

export type AdminContext = {
  readonly clock: Clock;
  readonly domain: string;
  readonly origin: string;
  readonly currency: string;
  readonly plan: ShopPlan;
  /** The name under which shoppers know the shop. */
  readonly name: string;
  readonly orders: ShopOrders;
  readonly subscriptions: WebhookSubscriptions;
  readonly record: WritableShopRecord;
  scopes(): readonly string[];
  exchangeOf(order: ShopOrder): OrderContext;
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

/** The root fields of the Admin API: orders with their payments and refunds, webhook subscriptions and the shop. */
export function adminRootFields(context: AdminContext): RootFields {
  const { clock, orders } = context;
  const view = (order: ShopOrder | null) => order && orderView(order, context.exchangeOf(order));
  return {
    publicApiVersions: () => apiVersions(clock.now()),
    shop: () => shopView(context),
    currentAppInstallation: () => ({
      id: "gid://shopify/AppInstallation/1",
      accessScopes: context.scopes().map((handle) => ({ handle, description: handle })),
    }),
    order: ({ id }: { id: string }) => view(orders.find(id)),
    node: ({ id }: { id: string }) => view(orders.find(id)),
    refund: ({ id }: { id: string }) => {
      const order = orders.all.find(({ refunds }) => refunds.some((refund) => refund.id === id));
      const refund = order?.refunds.find((each) => each.id === id);
      return order && refund ? { ...refundView(order, refund, context.exchangeOf(order)), order: view(order) } : null;
    },
    orders: (args: Parameters<typeof findOrders>[1]) => {
      const { found, more } = findOrders(orders.all, args);
      return connection(found.map(view), more);
    },
    orderCapture: ({ input }: Input<CaptureInput>) => captureOrder(context, input),
    orderCreateManualPayment: (args: ManualPayment) => payManually(context, args),
    orderMarkAsPaid: ({ input }: Input<{ id: string }>) => markAsPaid(context, input.id),
    orderCancel: (args: Cancellation) => cancelOrder(context, args),
    orderUpdate: ({ input }: Input<{ id: string; note?: string | null; tags?: readonly string[] | null }>) =>
      updateOrder(context, input),
    refundCreate: ({ input }: Input<RefundInput>) => refundOrder(context, input),
    tagsAdd: ({ id, tags }: { id: string; tags: readonly string[] }) => addTags(context, id, tags),
    metafieldsSet: ({ metafields }: { metafields: readonly MetafieldInput[] }) => setMetafields(context, metafields),
    metafieldsDelete: ({ metafields }: { metafields: readonly MetafieldInput[] }) =>
      deleteMetafields(context, metafields),
    ...subscriptionFields(context.subscriptions, clock),
  };
}

function shopView({ domain, origin, currency, plan, name }: AdminContext) {
  return {
    id: "gid://shopify/Shop/954889",
    name,
    email: "owner@shop.example",
    contactEmail: "hello@shop.example",
    myshopifyDomain: domain,
    url: origin,
    currencyCode: currency,
    plan: {
      partnerDevelopment: plan === "development",
      shopifyPlus: plan === "plus",
      publicDisplayName: plan === "development" ? "Development" : plan === "plus" ? "Plus" : "Basic",
    },
    ianaTimezone: "Africa/Abidjan",
    primaryDomain: { id: "gid://shopify/Domain/1", host: domain, url: origin },
  };
}

function captureOrder(context: AdminContext, { id, parentTransactionId, amount, currency }: CaptureInput) {
  const refuse = (field: string, message: string) => ({ transaction: null, userErrors: [userError([field], message)] });
  const order = context.orders.find(id);
  if (!order) return refuse("id", "Order does not exist");
  const parent = order.transactions.find((each) => each.id === parentTransactionId);
  if (!parent) return refuse("parentTransactionId", "Parent transaction does not exist");
  const mustNameCurrency = context.currency !== order.total.currency;
  if ((currency ?? (mustNameCurrency ? null : context.currency)) !== order.total.currency) {
    return refuse("currency", "Currency must match the presentment currency of the order");
  }
  const sum = parseAmount(amount, order.total.currency);
  if (!sum || sum.minor <= 0) return refuse("amount", "Amount must be greater than zero");
  if (sum.minor > capturableMinor(order, parent))
    return refuse("amount", "Amount cannot be greater than the authorized amount");
  const { gateway } = parent;
  const booked = recordPayment(context, order, {
    kind: "CAPTURE",
    amount: sum,
    gateway,
    parentId: parent.id,
    manual: true,
  });
  return { transaction: transactionView(order, booked, context.exchangeOf(order)), userErrors: [] };
}

type ManualPayment = {
  readonly id: string;
  readonly amount?: { readonly amount: string; readonly currencyCode: string } | null;
  readonly paymentMethodName?: string | null;
  readonly processedAt?: string | null;
};

function payManually(context: AdminContext, { id, amount, paymentMethodName, processedAt }: ManualPayment) {
  const refuse = (code: string, field: string, message: string) => ({
    order: null,
    userErrors: [{ code, ...userError([field], message) }],
  });
  if (amount && context.plan !== "plus") {
    const message = "Access denied for amount argument. Required access: the shop must be on a Shopify Plus plan.";
    throw new GraphQLError(message, { extensions: { code: "ACCESS_DENIED" } });
  }
  const order = context.orders.find(id);
  if (!order) return refuse("ORDER_NOT_FOUND", "id", "Order not found");
  const { outstanding } = balanceOf(order);
  if (amount && amount.currencyCode !== order.total.currency) {
    return refuse("CURRENCY_MISMATCH", "amount", "The currency must match the presentment currency of the order");
  }
  const sum = amount ? parseAmount(amount.amount, amount.currencyCode) : outstanding;
  if (!sum || sum.minor <= 0) return refuse("AMOUNT_NOT_POSITIVE", "amount", "The amount must be positive");
  const gateway = paymentMethodName ?? "Other";
  if (gateway.trim() === "")
    return refuse("GATEWAY_NOT_FOUND", "paymentMethodName", "The payment method was not found");
  if (processedAt && Date.parse(processedAt) > context.clock.now()) {
    return refuse("PROCESSED_AT_INVALID", "processedAt", "processedAt cannot be in the future");
  }
  if (order.cancelledAt !== null || sum.minor > outstanding.minor) {
    return refuse("AMOUNT_EXCEEDS_BALANCE", "amount", "The amount exceeds the balance of the order");
  }
  recordPayment(context, order, { kind: "SALE", amount: sum, gateway, parentId: null, manual: true });
  return { order: orderView(order, context.exchangeOf(order)), userErrors: [] };
}

function markAsPaid(context: AdminContext, id: string) {
  const order = context.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (!canMarkAsPaid(order)) return { order: null, userErrors: [userError(["id"], "Order cannot be marked as paid.")] };
  recordPayment(context, order, outstandingPayment(order));
  return { order: orderView(order, context.exchangeOf(order)), userErrors: [] };
}

type Cancellation = {
  readonly orderId: string;
  readonly reason: string;
  readonly restock: boolean;
  readonly staffNote?: string | null;
};

function cancelOrder(context: AdminContext, { orderId, reason, restock, staffNote }: Cancellation) {
  const refuse = (code: string, message: string) => {
    const error = { code, ...userError(["orderId"], message) };
    return { job: null, orderCancelUserErrors: [error], userErrors: [error] };
  };
  const order = context.orders.find(orderId);
  if (!order) return refuse("NOT_FOUND", "Order does not exist");
  if (order.cancelledAt !== null) return refuse("INVALID", "Order has already been cancelled");
  order.cancelledAt = context.clock.now();
  order.cancelReason = reason;
  order.restocked = restock;
  if (staffNote) order.note = staffNote;
  context.orders.markUpdated(order);
  context.onOrderChange(order, "orders/cancelled");
  return {
    job: { id: "gid://shopify/Job/1", done: true },
    orderCancelUserErrors: [],
    userErrors: [],
  };
}

function updateOrder(
  context: AdminContext,
  { id, note, tags }: { id: string; note?: string | null; tags?: readonly string[] | null },
) {
  const order = context.orders.find(id);
  if (!order) return { order: null, userErrors: [userError(["id"], "Order does not exist")] };
  if (note !== undefined) order.note = note;
  if (tags) order.tags.splice(0, order.tags.length, ...tags);
  context.orders.markUpdated(order);
  return { order: orderView(order, context.exchangeOf(order)), userErrors: [] };
}

function refundOrder(context: AdminContext, { orderId, note, currency, transactions }: RefundInput) {
  const refuse = (field: string, message: string) => ({
    refund: null,
    order: null,
    userErrors: [userError([field], message)],
  });
  const order = context.orders.find(orderId);
  if (!order) return refuse("orderId", "Order does not exist");
  if (context.currency !== order.total.currency && currency !== order.total.currency) {
    return refuse("currency", "Currency must match the presentment currency of the order");
  }
  const sums = (transactions ?? []).map(({ amount }) => parseAmount(amount, order.total.currency)?.minor ?? -1);
  const minor = sums.reduce((sum, each) => sum + each, 0);
  const { received: paid, refunded } = balanceOf(order);
  if (minor <= 0 || sums.some((sum) => sum < 0))
    return refuse("transactions", "Refund amount must be greater than zero");
  if (minor > paid.minor - refunded.minor)
    return refuse("transactions", "Refund amount cannot be greater than the amount paid");
  const refund = context.orders.refund(order, { minor, currency: order.total.currency }, note ?? null);
  context.record.addEffect({
    at: context.clock.now(),
    kind: "refunded",
    id: refund.id,
    parentId: order.id,
    amount: refund.amount,
  });
  context.onRefund(order, refund);
  const exchange = context.exchangeOf(order);
  return { refund: refundView(order, refund, exchange), order: orderView(order, exchange), userErrors: [] };
}

function addTags(context: AdminContext, id: string, tags: readonly string[]) {
  const order = context.orders.find(id);
  if (!order) return { node: null, userErrors: [userError(["id"], "Order does not exist")] };
  const wanted = tags.flatMap((tag) => tag.split(",")).map((tag) => tag.trim());
  for (const tag of wanted) if (!order.tags.includes(tag)) order.tags.push(tag);
  context.orders.markUpdated(order);
  return { node: orderView(order, context.exchangeOf(order)), userErrors: [] };
}

function setMetafields(context: AdminContext, metafields: readonly MetafieldInput[]) {
  const views = metafields.map(({ ownerId, namespace, key, type, value }) => {
    const order = context.orders.find(ownerId);
    if (!order) return null;
    const name = `${namespace ?? "$app"}.${key}`;
    const id = order.metafields.get(name)?.id ?? `gid://shopify/Metafield/${order.number}${order.metafields.size}`;
    order.metafields.set(name, { id, type: type ?? "single_line_text_field", value });
    context.orders.markUpdated(order);
    return metafieldView(order, name);
  });
  if (!views.includes(null)) return { metafields: views, userErrors: [] };
  const error = { code: "INVALID", elementIndex: null, ...userError(["metafields"], "Owner does not exist") };
  return { metafields: [], userErrors: [error] };
}

function deleteMetafields(context: AdminContext, metafields: readonly MetafieldInput[]) {
  const deletedMetafields = metafields.map(({ ownerId, namespace, key }) => {
    const isDeleted = context.orders.find(ownerId)?.metafields.delete(`${namespace ?? "$app"}.${key}`);
    return isDeleted ? { ownerId, namespace: namespace ?? "$app", key } : null;
  });
  return { deletedMetafields, userErrors: [] };
}

function recordPayment(context: AdminContext, order: ShopOrder, payment: Parameters<ShopOrders["recordPayment"]>[1]) {
  const booked = context.orders.recordPayment(order, payment);
  context.record.addEffect({
    at: context.clock.now(),
    kind: "order-paid",
    id: order.id,
    parentId: order.name,
    amount: payment.amount,
  });
  context.onOrderChange(order, "orders/updated");
  return booked;
}

function userError(field: readonly string[], message: string) {
  return { field, message };
}

/** Null for text that is no exact amount of the currency. */
function parseAmount(text: string, currency: string): Money | null {
  try {
    return parseMoney(text, currency);
  } catch {
    return null;
  }
}
