import type { Clock, Money } from "@tillkit/core";
import { createAccessTokens } from "./access-tokens.ts";
import type { AdminDesk } from "./admin-api.ts";
import type { Exchange } from "./amounts.ts";
import { addressOf, type ConnectedApp } from "./connected-app.ts";
import { createMoneySessions, type MoneySession, type MoneySessionKind } from "./money-sessions.ts";
import type { ShopifyApp } from "./oauth.ts";
import { numberOf, orderPayload, refundPayload } from "./order-view.ts";
import { createPaymentSessions, type PaymentSession, type Proposal } from "./payment-sessions.ts";
import type { PaymentsDesk } from "./payments-api.ts";
import { moneyBody, paymentBody, type SessionAnswer, type SessionSender } from "./session-sender.ts";
import {
  createShopOrders,
  type OrderPlacement,
  type OrderRefund,
  outstandingByHand,
  type ShopOrder,
} from "./shop-orders.ts";
import { createShopBook } from "./shop-record.ts";
import { signQuery, signSessionToken } from "./signatures.ts";
import type { SimulatedShop } from "./simulated-shop-type.ts";
import type { WebhookDelivery, WebhookSender } from "./webhook-sender.ts";
import { createWebhookSubscriptions, topicName } from "./webhook-subscriptions.ts";

export type ShopWish = {
  /** The shop's own currency; XOF unless set. */
  readonly currency?: string;
  /** Shop money for one minor unit of each other currency, in minor units: `{ EUR: 6.5596 }` of an XOF shop. */
  readonly rates?: Readonly<Record<string, number>>;
  readonly managedScope?: string;
};

/** What a shop needs of the world around it. */
export type ShopSurroundings = {
  readonly domain: string;
  readonly origin: string;
  readonly clock: Clock;
  readonly app: ShopifyApp;
  readonly webhooks: WebhookSender;
  connection(): { readonly app: ConnectedApp; readonly sender: SessionSender };
  walk(installUrl: string): ReturnType<SimulatedShop["install"]>;
};

export type OpenedShop = {
  readonly shop: SimulatedShop;
  readonly payments: PaymentsDesk;
  readonly admin: AdminDesk;
  readonly managedScope: string;
  installed(scope: string): void;
};

const OFFSITE_SCOPES = "write_payment_gateways,write_payment_sessions";

export function openSimulatedShop(wish: ShopWish, around: ShopSurroundings): OpenedShop {
  const { domain, origin, clock, app, webhooks } = around;
  const { currency = "XOF", rates = {}, managedScope = `${OFFSITE_SCOPES},read_orders,write_orders` } = wish;
  const tokens = createAccessTokens(clock);
  const sessions = createPaymentSessions(clock);
  const moneySessions = createMoneySessions();
  const orders = createShopOrders(clock);
  const subscriptions = createWebhookSubscriptions();
  const record = createShopBook();
  const gateway = { ready: false, externalHandle: null };
  let installedWith: string | null = null;

  const exchangeOf = ({ total }: ShopOrder): Exchange & { readonly origin: string } => ({
    shopCurrency: currency,
    presentmentCurrency: total.currency,
    rate: rates[total.currency] ?? 1,
    origin,
  });

  function sendWebhook(topic: string, payload: object, triggeredAt = clock.now()): readonly WebhookDelivery[] {
    const { webhooks: declared, ...rest } = around.connection().app;
    const urls = declared?.topics.includes(topic) ? [{ url: addressOf(rest, declared.url), subscription: null }] : [];
    const asked = subscriptions.all
      .filter((each) => each.topic === topicName(topic))
      .map((subscription) => ({ url: subscription.uri, subscription }));
    return [...urls, ...asked].map(({ url, subscription }) => {
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
  ): Promise<SessionAnswer> {
    const { app: connected, sender } = around.connection();
    const url = addressOf(connected, required(connected.paymentUrl, "paymentUrl"));
    const answer = await sender.post(url, domain, paymentBody(session, `${origin}/checkouts/${session.id}`));
    if (how.loseAnswer) return { ...answer, status: 0, redirectUrl: null };
    if (answer.redirectUrl !== null) {
      session.answered = true;
      session.redirectUrl = answer.redirectUrl;
    }
    return answer;
  }

  async function postMoney(session: MoneySession): Promise<SessionAnswer> {
    const { app: connected, sender } = around.connection();
    const urls = { Refund: connected.refundUrl, Capture: connected.captureUrl, Void: connected.voidUrl };
    const url = addressOf(connected, required(urls[session.kind], `${session.kind.toLowerCase()}Url`));
    return await sender.post(url, domain, moneyBody(session));
  }

  async function request(kind: MoneySessionKind, payment: PaymentSession, amount: Money | null) {
    const { id: paymentId, test } = payment;
    const session = moneySessions.begin({ kind, paymentId, amount, test, proposedAt: clock.now() });
    return { session, answer: await postMoney(session) };
  }

  function orderOf(id: string): ShopOrder {
    const order = orders.find(id);
    if (!order) throw new Error(`This shop has no order ${id}.`);
    return order;
  }

  function changeOrder(id: string, topic: string, change: (order: ShopOrder) => void): ShopOrder {
    const order = orderOf(id);
    change(order);
    orders.touch(order);
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
    moneySessions,
    installUrl() {
      const connected = around.connection().app;
      const host = Buffer.from(`${domain}/admin`).toString("base64url");
      const timestamp = String(Math.floor(clock.now() / 1_000));
      return `${addressOf(connected, connected.entry ?? "/")}?${signQuery({ shop: domain, host, timestamp }, app.clientSecret)}`;
    },
    install: () => around.walk(shop.installUrl()),
    installedWith: () => installedWith,
    uninstall() {
      tokens.revokeAll();
      subscriptions.clear();
      installedWith = null;
      gateway.ready = false;
      return sendWebhook("app/uninstalled", { id: 954_889, domain, myshopify_domain: domain });
    },
    sessionToken: () => signSessionToken({ shop: domain, ...app, secret: app.clientSecret, now: clock.now() }),
    propose: (want) => sessions.begin(proposal(want)),
    postPayment,
    async startPayment(want) {
      const session = sessions.begin(proposal(want));
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
    postMoney,
    requestRefund: (payment, amount) => request("Refund", payment, amount),
    requestCapture: (payment, amount) => request("Capture", payment, amount),
    requestVoid: (payment) => request("Void", payment, null),
    placeOrder(want) {
      const order = orders.place(placement(want));
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
        orders.receive(order, { kind: "SALE", amount, gateway, parentId: null, manual: true });
      }),
    markOrderAsPaid: (id) =>
      changeOrder(id, "orders/updated", (order) => void orders.receive(order, outstandingByHand(order))),
    refundOrder(id, amount, note = null) {
      const order = orderOf(id);
      const refund = orders.refund(order, amount, note);
      sendRefund(order, refund);
      return refund;
    },
    sendWebhook,
    payloadOf: (id) => orderPayload(orderOf(id), exchangeOf(orderOf(id))),
    complianceOf: (email, orderIds) => ({
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
    installed: (scope) => {
      installedWith = scope;
    },
    payments: {
      clock,
      payments: sessions,
      moneySessions,
      gateway,
      book: record,
      thankYouUrl: ({ id }) => `${origin}/checkouts/${id}/thank_you`,
    },
    admin: {
      clock,
      domain,
      origin,
      currency,
      orders,
      subscriptions,
      book: record,
      scopes: () => (installedWith ?? "").split(",").filter((scope) => scope !== ""),
      exchangeOf,
      onOrderChange: (order, topic) => void sendOrder(topic, order),
      onRefund: (order, refund) => void sendRefund(order, refund),
    },
  };
}

function proposal({ total, ...want }: Partial<Proposal> & Pick<Proposal, "total">): Proposal {
  return { total, test: true, kind: "sale", locale: "fr-CI", email: "awa@shopper.example", ...want };
}

function placement({ total, ...want }: Partial<OrderPlacement> & Pick<OrderPlacement, "total">): OrderPlacement {
  return { total, gateway: "Mobile money", test: false, email: "awa@shopper.example", locale: "fr", ...want };
}

function required(url: string | undefined, name: string): string {
  if (url === undefined) throw new Error(`Tell the simulator where the app is: connectApp({ ${name} }).`);
  return url;
}
