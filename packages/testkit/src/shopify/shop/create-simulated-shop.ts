import type { Clock, Money } from "@tillkit/core";
import type { AdminContext, ShopPlan } from "../admin/admin-api.ts";
import { numberOf, type OrderContext, orderPayload, refundPayload } from "../admin/order-view.ts";
import {
  createShopOrders,
  type OrderInput,
  type OrderRefund,
  outstandingPayment,
  type ShopOrder,
} from "../admin/shop-orders.ts";
import { createWebhookSubscriptions, topicEnum } from "../admin/webhook-subscriptions.ts";
import { createAccessTokens } from "../oauth/access-tokens.ts";
import { signQuery, signSessionToken } from "../oauth/signatures.ts";
import type { ShopifyApp } from "../oauth/token-endpoint.ts";
import {
  createModificationSessions,
  type ModificationKind,
  type ModificationSession,
} from "../payments/modification-sessions.ts";
import { type CheckoutInput, createPaymentSessions, type PaymentSession } from "../payments/payment-sessions.ts";
import type { PaymentsContext } from "../payments/payments-api.ts";
import { addressOf, type ConnectedApp } from "../senders/connected-app.ts";
import { modificationBody, paymentBody, type SessionResponse, type SessionSender } from "../senders/session-sender.ts";
import type { WebhookDelivery, WebhookSender } from "../senders/webhook-sender.ts";
import { createShopRecord } from "../shop-record.ts";
import type { SimulatedShop } from "./simulated-shop.ts";

export type ShopOptions = {
  /** The currency of the shop; XOF by default. */
  readonly currency?: string;
  /** Minor units of shop money for one minor unit of another currency: `{ EUR: 6.5596 }` for an XOF shop. */
  readonly rates?: Readonly<Record<string, number>>;
  /** The scopes of a managed installation; by default all scopes of both modes. */
  readonly managedScope?: string;
  /** Whether Shopify has approved the app's access to names, e-mail addresses and phone numbers; true by default. */
  readonly customerData?: boolean;
  /** The plan of the shop; Plus by default. Only on Plus may an app choose the amount of a manual payment. */
  readonly plan?: ShopPlan;
  /** The name that shoppers know; `acme` of `acme.myshopify.com` by default. */
  readonly name?: string;
};

/** The parts of the simulator that a shop uses. */
export type ShopEnvironment = {
  readonly domain: string;
  readonly origin: string;
  readonly clock: Clock;
  readonly app: ShopifyApp;
  readonly webhooks: WebhookSender;
  connection(): { readonly app: ConnectedApp; readonly sender: SessionSender };
  followInstallation(installUrl: string): ReturnType<SimulatedShop["install"]>;
};

export type CreatedShop = {
  readonly shop: SimulatedShop;
  readonly payments: PaymentsContext;
  readonly admin: AdminContext;
  readonly managedScope: string;
  onInstalled(scope: string): void;
};

const OFFSITE_SCOPES = "write_payment_gateways,write_payment_sessions";

export function createSimulatedShop(options: ShopOptions, environment: ShopEnvironment): CreatedShop {
  const { domain, origin, clock, app, webhooks } = environment;
  const {
    currency = "XOF",
    rates = {},
    plan = "plus",
    name = domain.slice(0, domain.indexOf(".")),
    customerData = true,
    managedScope = `${OFFSITE_SCOPES},read_orders,write_orders`,
  } = options;
  const tokens = createAccessTokens(clock);
  const sessions = createPaymentSessions(clock);
  const modifications = createModificationSessions();
  const orders = createShopOrders(clock);
  const subscriptions = createWebhookSubscriptions();
  const record = createShopRecord();
  const gateway = { ready: false, externalHandle: null };
  let installedWith: string | null = null;

  const exchangeOf = ({ total }: ShopOrder): OrderContext => ({
    shopCurrency: currency,
    presentmentCurrency: total.currency,
    rate: rates[total.currency] ?? 1,
    origin,
    customerData,
  });

  function sendWebhook(topic: string, payload: object, triggeredAt = clock.now()): readonly WebhookDelivery[] {
    const { webhooks: declared, ...rest } = environment.connection().app;
    const declaredUrls = declared?.topics.includes(topic)
      ? [{ url: addressOf(rest, declared.url), subscription: null }]
      : [];
    const subscribed = subscriptions.all
      .filter((each) => each.topic === topicEnum(topic))
      .map((subscription) => ({ url: subscription.uri, subscription }));
    return [...declaredUrls, ...subscribed].map(({ url, subscription }) => {
      const onGivenUp = () => void (subscription && subscriptions.remove(subscription.id));
      return webhooks.send({ topic, shop: domain, url, triggeredAt, payload, onGivenUp });
    });
  }

  const sendOrder = (topic: string, order: ShopOrder) => sendWebhook(topic, orderPayload(order, exchangeOf(order)));
  const sendRefund = (order: ShopOrder, refund: OrderRefund) =>
    sendWebhook("refunds/create", refundPayload(order, refund, exchangeOf(order)));

  async function postPayment(
    session: PaymentSession,
    how: { readonly loseAnswer?: boolean } = {},
  ): Promise<SessionResponse> {
    const { app: connected, sender } = environment.connection();
    const url = addressOf(connected, required(connected.paymentUrl, "paymentUrl"));
    const answer = await sender.post(url, domain, paymentBody(session, `${origin}/checkouts/${session.id}`));
    if (how.loseAnswer) return { ...answer, status: 0, redirectUrl: null };
    if (answer.redirectUrl !== null) {
      session.answered = true;
      session.redirectUrl = answer.redirectUrl;
    }
    return answer;
  }

  async function postModification(session: ModificationSession): Promise<SessionResponse> {
    const { app: connected, sender } = environment.connection();
    const urls = { Refund: connected.refundUrl, Capture: connected.captureUrl, Void: connected.voidUrl };
    const url = addressOf(connected, required(urls[session.kind], `${session.kind.toLowerCase()}Url`));
    return await sender.post(url, domain, modificationBody(session));
  }

  async function requestModification(kind: ModificationKind, payment: PaymentSession, amount: Money | null) {
    const { id: paymentId, test } = payment;
    const session = modifications.begin({ kind, paymentId, amount, test, proposedAt: clock.now() });
    return { session, answer: await postModification(session) };
  }

  function orderOf(id: string): ShopOrder {
    const order = orders.find(id);
    if (!order) throw new Error(`This shop has no order ${id}.`);
    return order;
  }

  function changeOrder(id: string, topic: string, change: (order: ShopOrder) => void): ShopOrder {
    const order = orderOf(id);
    change(order);
    orders.markUpdated(order);
    sendOrder(topic, order);
    return order;
  }

  const shop: SimulatedShop = {
    domain,
    origin,
    currency,
    gateway,
    tokens,
    record,
    orders,
    subscriptions,
    sessions,
    modifications,
    installUrl() {
      const connected = environment.connection().app;
      const host = Buffer.from(`${domain}/admin`).toString("base64url");
      const timestamp = String(Math.floor(clock.now() / 1_000));
      return `${addressOf(connected, connected.entry ?? "/")}?${signQuery({ shop: domain, host, timestamp }, app.clientSecret)}`;
    },
    install: () => environment.followInstallation(shop.installUrl()),
    installedWith: () => installedWith,
    uninstall() {
      tokens.revokeAll();
      subscriptions.clear();
      installedWith = null;
      gateway.ready = false;
      return sendWebhook("app/uninstalled", { id: 954_889, domain, myshopify_domain: domain });
    },
    sessionToken: () => signSessionToken({ shop: domain, ...app, secret: app.clientSecret, now: clock.now() }),
    openCheckout: (input) => sessions.begin(withCheckoutDefaults(input)),
    postPayment,
    async startPayment(input) {
      const session = sessions.begin(withCheckoutDefaults(input));
      return { session, answer: await postPayment(session) };
    },
    async openTab(group) {
      const session = sessions.beginSibling(group);
      return { session, answer: await postPayment(session) };
    },
    async changeCart(group, total) {
      const session = sessions.changeTotal(group, total);
      return { session, answer: await postPayment(session) };
    },
    abandon: (group) => sessions.close(group),
    postModification,
    requestRefund: (payment, amount) => requestModification("Refund", payment, amount),
    requestCapture: (payment, amount) => requestModification("Capture", payment, amount),
    requestVoid: (payment) => requestModification("Void", payment, null),
    placeOrder(input) {
      const order = orders.place(withOrderDefaults(input));
      sendOrder("orders/create", order);
      return order;
    },
    editOrder: (id, total) => changeOrder(id, "orders/updated", (order) => Object.assign(order, { total })),
    cancelOrder: (id) =>
      changeOrder(id, "orders/cancelled", (order) =>
        Object.assign(order, { cancelledAt: clock.now(), cancelReason: "CUSTOMER" }),
      ),
    payOrderOutside: (id, amount, gateway = "Cash") =>
      changeOrder(id, "orders/updated", (order) => {
        orders.recordPayment(order, { kind: "SALE", amount, gateway, parentId: null, manual: true });
      }),
    markOrderAsPaid: (id) =>
      changeOrder(id, "orders/updated", (order) => void orders.recordPayment(order, outstandingPayment(order))),
    refundOrder(id, amount, note = null) {
      const order = orderOf(id);
      const refund = orders.refund(order, amount, note);
      sendRefund(order, refund);
      return refund;
    },
    sendWebhook,
    orderPayload: (id) => orderPayload(orderOf(id), exchangeOf(orderOf(id))),
    compliancePayload: (email, orderIds) => ({
      shop_id: 954_889,
      shop_domain: domain,
      customer: { id: 191_167, email, phone: "+2250700000000" },
      orders_requested: orderIds.map((id) => Number(numberOf(id))),
      orders_to_redact: orderIds.map((id) => Number(numberOf(id))),
      data_request: { id: 9_999 },
    }),
  };

  return {
    shop,
    managedScope,
    onInstalled: (scope) => {
      installedWith = scope;
    },
    payments: {
      clock,
      payments: sessions,
      modifications,
      gateway,
      record: record,
      thankYouUrl: ({ id }) => `${origin}/checkouts/${id}/thank_you`,
    },
    admin: {
      clock,
      domain,
      origin,
      currency,
      plan,
      name,
      orders,
      subscriptions,
      record: record,
      scopes: () => (installedWith ?? "").split(",").filter((scope) => scope !== ""),
      exchangeOf,
      onOrderChange: (order, topic) => void sendOrder(topic, order),
      onRefund: (order, refund) => void sendRefund(order, refund),
    },
  };
}

function withCheckoutDefaults({
  total,
  ...input
}: Partial<CheckoutInput> & Pick<CheckoutInput, "total">): CheckoutInput {
  return { total, test: true, kind: "sale", locale: "fr-CI", email: "awa@shopper.example", ...input };
}

function withOrderDefaults({ total, ...input }: Partial<OrderInput> & Pick<OrderInput, "total">): OrderInput {
  return { total, gateway: "Mobile money", test: false, email: "awa@shopper.example", locale: "fr", ...input };
}

function required(url: string | undefined, name: string): string {
  if (url === undefined) throw new Error(`Connect the app first: connectApp({ ${name} }).`);
  return url;
}
