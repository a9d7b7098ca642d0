import type { Money } from "@tillkit/core";
import type { OrderInput, OrderRefund, ShopOrder, ShopOrders } from "../admin/shop-orders.ts";
import type { WebhookSubscriptions } from "../admin/webhook-subscriptions.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { InstallationResult } from "../oauth/follow-installation.ts";
import type { ModificationSession, ModificationSessions } from "../payments/modification-sessions.ts";
import type { CheckoutInput, PaymentSession, PaymentSessions } from "../payments/payment-sessions.ts";
import type { Gateway } from "../payments/payments-api.ts";
import type { SessionResponse } from "../senders/session-sender.ts";
import type { WebhookDelivery } from "../senders/webhook-sender.ts";
import type { ShopRecord } from "../shop-record.ts";

type Posted<Session> = { readonly session: Session; readonly answer: SessionResponse };

/** A shop in the simulator, with the actions of its merchant and its shoppers. */
export type SimulatedShop = {
  /** `acme.myshopify.com` */
  readonly domain: string;
  /** The URL in place of `https://acme.myshopify.com`. */
  readonly origin: string;
  readonly currency: string;
  /** The payments app as the merchant configured it. */
  readonly gateway: Readonly<Gateway>;
  readonly tokens: AccessTokens;
  /** The effects and calls that really happened, for invariants. */
  readonly record: ShopRecord;
  readonly orders: ShopOrders;
  readonly subscriptions: WebhookSubscriptions;
  readonly sessions: PaymentSessions;
  /** Refund, capture and void sessions. */
  readonly modifications: ModificationSessions;

  /** The signed URL with which Shopify opens the app. The signature includes the current time. */
  installUrl(): string;
  /** The merchant installs or opens the app in a new browser. */
  install(): Promise<InstallationResult>;
  /** The granted scopes; null while the app is not installed. */
  installedWith(): string | null;
  uninstall(): readonly WebhookDelivery[];
  /** A session token, as App Bridge gives it to an embedded page. */
  sessionToken(): string;

  /** A shopper's checkout reaches the payment step. Nothing is posted to the app. */
  openCheckout(input: Partial<CheckoutInput> & Pick<CheckoutInput, "total">): PaymentSession;
  /** Posts a payment session, for the first time or again. `loseAnswer`: Shopify does not receive the app's answer. */
  postPayment(session: PaymentSession, options?: { readonly loseAnswer?: boolean }): Promise<SessionResponse>;
  startPayment(input: Partial<CheckoutInput> & Pick<CheckoutInput, "total">): Promise<Posted<PaymentSession>>;
  /** The shopper opens the checkout in another tab, which has its own session in the group. */
  openTab(group: string): Promise<Posted<PaymentSession>>;
  changeCart(group: string, total: Money): Promise<Posted<PaymentSession>>;
  abandon(group: string): void;
  postModification(session: ModificationSession): Promise<SessionResponse>;
  requestRefund(payment: PaymentSession, amount: Money): Promise<Posted<ModificationSession>>;
  requestCapture(payment: PaymentSession, amount: Money): Promise<Posted<ModificationSession>>;
  requestVoid(payment: PaymentSession): Promise<Posted<ModificationSession>>;

  /** An order with a manual payment method, and its `orders/create`. */
  placeOrder(input: Partial<OrderInput> & Pick<OrderInput, "total">): ShopOrder;
  editOrder(id: string, total: Money): ShopOrder;
  cancelOrder(id: string): ShopOrder;
  /** The merchant records a payment with another method; cash by default. */
  payOrderOutside(id: string, amount: Money, gateway?: string): ShopOrder;
  /** The merchant presses "Mark as paid", which records the outstanding amount under the method of the pending sale. */
  markOrderAsPaid(id: string): ShopOrder;
  /**
   * The merchant refunds the order in the admin. With a manual method this moves no money. A refund of zero only puts items back into
   * stock. `gateway`: another method than that of the payment, such as store credit.
   */
  refundOrder(id: string, amount: Money, note?: string | null, gateway?: string): OrderRefund;

  /** Sends a webhook to every subscription of the topic. `triggeredAt` in milliseconds since 1970, now by default. */
  sendWebhook(topic: string, payload: object, triggeredAt?: number): readonly WebhookDelivery[];
  /** The body of a webhook about the order as it is now. */
  orderPayload(orderId: string): object;
  /** The body of a compliance webhook about a customer and their orders. */
  compliancePayload(email: string, orderIds: readonly string[]): object;
};
