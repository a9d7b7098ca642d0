import type { Money } from "@tillkit/core";
import type { AccessTokens } from "./access-tokens.ts";
import type { InstallWalk } from "./install-walk.ts";
import type { MoneySession, MoneySessions } from "./money-sessions.ts";
import type { PaymentSession, PaymentSessions, Proposal } from "./payment-sessions.ts";
import type { Gateway } from "./payments-api.ts";
import type { SessionAnswer } from "./session-sender.ts";
import type { OrderPlacement, OrderRefund, ShopOrder, ShopOrders } from "./shop-orders.ts";
import type { ShopRecord } from "./shop-record.ts";
import type { WebhookDelivery } from "./webhook-sender.ts";
import type { WebhookSubscriptions } from "./webhook-subscriptions.ts";

type Posted<Session> = { readonly session: Session; readonly answer: SessionAnswer };

/** A shop in the simulator: its merchant, its shoppers, and what Shopify does in its name. */
export type SimulatedShop = {
  /** `acme.myshopify.com` */
  readonly domain: string;
  /** What stands in for `https://acme.myshopify.com`. */
  readonly origin: string;
  readonly currency: string;
  readonly gateway: Readonly<Gateway>;
  readonly tokens: AccessTokens;
  /** What really happened, for invariants. */
  readonly record: ShopRecord;
  readonly orders: ShopOrders;
  readonly subscriptions: WebhookSubscriptions;
  readonly sessions: PaymentSessions;
  readonly moneySessions: MoneySessions;

  /** The app's address as Shopify opens it, signed for this moment. */
  installUrl(): string;
  /** The merchant installs the app, in a browser of their own; answers where it ended. */
  install(): Promise<InstallWalk>;
  /** The scopes that were granted, null while the app is not installed. */
  installedWith(): string | null;
  uninstall(): readonly WebhookDelivery[];
  /** As App Bridge gives an embedded page. */
  sessionToken(): string;

  /** A shopper's checkout reaches the payment; nothing is posted yet. */
  propose(want: Partial<Proposal> & Pick<Proposal, "total">): PaymentSession;
  /** Posts the payment request, the first time or again. `loseAnswer`: Shopify never reads what the app said. */
  postPayment(session: PaymentSession, how?: { readonly loseAnswer?: boolean }): Promise<SessionAnswer>;
  startPayment(want: Partial<Proposal> & Pick<Proposal, "total">): Promise<Posted<PaymentSession>>;
  /** The same checkout in another tab: a session of its own in the same group. */
  openTab(group: string): Promise<Posted<PaymentSession>>;
  changeCart(group: string, total: Money): Promise<Posted<PaymentSession>>;
  abandon(group: string): void;
  postMoney(session: MoneySession): Promise<SessionAnswer>;
  requestRefund(payment: PaymentSession, amount: Money): Promise<Posted<MoneySession>>;
  requestCapture(payment: PaymentSession, amount: Money): Promise<Posted<MoneySession>>;
  requestVoid(payment: PaymentSession): Promise<Posted<MoneySession>>;

  /** An order with a manual payment method, and its `orders/create`. */
  placeOrder(want: Partial<OrderPlacement> & Pick<OrderPlacement, "total">): ShopOrder;
  editOrder(id: string, total: Money): ShopOrder;
  cancelOrder(id: string): ShopOrder;
  /** The merchant records money of another payment method: cash, unless `gateway` names it. */
  payOrderOutside(id: string, amount: Money, gateway?: string): ShopOrder;
  /** The merchant presses "Mark as paid": all that is outstanding is booked under the method of the waiting sale. */
  markOrderAsPaid(id: string): ShopOrder;
  /** In the shop's admin: the money of a manual method does not move by that. */
  refundOrder(id: string, amount: Money, note?: string | null): OrderRefund;

  /** To everybody who subscribed to the topic. `triggeredAt` in milliseconds since 1970, now unless set. */
  sendWebhook(topic: string, payload: object, triggeredAt?: number): readonly WebhookDelivery[];
  /** The body of an order's webhooks as it is now. */
  payloadOf(orderId: string): object;
  /** The body of the compliance topics about a customer and their orders. */
  complianceOf(email: string, orderIds: readonly string[]): object;
};
