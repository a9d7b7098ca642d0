import type { AdminContext, ShopPlan } from "../admin/admin-context.ts";
import type { OrderContext } from "../admin/order-objects.ts";
import { createShopOrders, type ShopOrder } from "../admin/shop-orders.ts";
import { createWebhookSubscriptions } from "../admin/webhook-subscriptions.ts";
import { legacyResourceId } from "../graphql/scalars.ts";
import { createAccessTokens } from "../oauth/access-tokens.ts";
import { createModificationSessions } from "../payments/modification-sessions.ts";
import { createPaymentSessions } from "../payments/payment-sessions.ts";
import type { PaymentsContext } from "../payments/payments-api.ts";
import { SHOP_ID } from "../shop-id.ts";
import { createShopRecord } from "../shop-record.ts";
import { createMerchantOrders } from "./merchant-orders.ts";
import type { ShopEnvironment } from "./shop-environment.ts";
import { createInstallation } from "./shop-installation.ts";
import { createShopPayments } from "./shop-payments.ts";
import { createWebhookBroadcast } from "./shop-webhooks.ts";
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

/** A shop, and the parts that only its server uses. */
export type CreatedShop = {
  readonly shop: SimulatedShop;
  readonly payments: PaymentsContext;
  readonly admin: AdminContext;
  readonly managedScope: string;
  onInstalled(scope: string): void;
};

const OFFSITE_SCOPES = "write_payment_gateways,write_payment_sessions";

export function createSimulatedShop(options: ShopOptions, environment: ShopEnvironment): CreatedShop {
  const { domain, origin, clock } = environment;
  const {
    currency = "XOF",
    rates = {},
    plan = "plus",
    name = domain.slice(0, domain.indexOf(".")),
    customerData = true,
    managedScope = `${OFFSITE_SCOPES},read_orders,write_orders`,
  } = options;
  const tokens = createAccessTokens(clock);
  const sessions = createPaymentSessions(clock, environment.randomBytes);
  const modifications = createModificationSessions();
  const orders = createShopOrders(clock, environment.randomBytes);
  const subscriptions = createWebhookSubscriptions();
  const record = createShopRecord();
  const gateway = { ready: false, externalHandle: null };

  const orderContext = ({ total }: ShopOrder): OrderContext => ({
    shopCurrency: currency,
    presentmentCurrency: total.currency,
    rate: rates[total.currency] ?? 1,
    origin,
    customerData,
  });

  const sendWebhook = createWebhookBroadcast({ ...environment, subscriptions });
  const { sendOrder, sendRefund, ...merchantOrders } = createMerchantOrders({
    clock,
    orders,
    sendWebhook,
    orderContext,
  });
  const { onInstalled, ...installation } = createInstallation(environment, {
    tokens,
    subscriptions,
    gateway,
    sendWebhook,
  });
  return {
    shop: {
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
      ...installation,
      ...createShopPayments(environment, sessions, modifications),
      ...merchantOrders,
      sendWebhook,
      compliancePayload: (email, orderIds) => compliancePayload(domain, email, orderIds),
    },
    managedScope,
    onInstalled,
    payments: {
      clock,
      payments: sessions,
      modifications,
      gateway,
      record,
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
      record,
      scopes: () => (installation.installedWith() ?? "").split(",").filter((scope) => scope !== ""),
      orderContext,
      onOrderChange: (order, topic) => sendOrder(topic, order),
      onRefund: sendRefund,
    },
  };
}

function compliancePayload(domain: string, email: string, orderIds: readonly string[]) {
  const orderNumbers = orderIds.map((id) => Number(legacyResourceId(id)));
  return {
    shop_id: SHOP_ID,
    shop_domain: domain,
    customer: { id: 191_167, email, phone: "+2250700000000" },
    orders_requested: orderNumbers,
    orders_to_redact: orderNumbers,
    data_request: { id: 9_999 },
  };
}
