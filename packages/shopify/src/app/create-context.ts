import { CheckoutError, type Engine, type OrderRef, type StoreAdapter, systemClock } from "@tillkit/core";
import { createGroupClaims } from "@tillkit/core/payment-groups";
import type { OpenTelemetry } from "@tillkit/runtime";
import { type CheckoutServer, createCheckoutServer, type StoreDirectory } from "@tillkit/server";
import { hostOptionsOf } from "@tillkit/server/config";
import type { AppContext } from "../app-context.ts";
import type { ShopifyConfig } from "../config/config-schema.ts";
import { createShopUrl } from "../config/shop-endpoint.ts";
import { createOffsiteAdapter } from "../offsite/offsite-adapter.ts";
import { createOrderAdapter } from "../order/order-adapter.ts";
import { createOwnerNotices } from "../records/owner-notices.ts";
import { createPaymentSessions } from "../records/payment-sessions.ts";
import { createRefundSearches } from "../records/refund-searches.ts";
import { createSessionCustomers } from "../records/session-customers.ts";
import { createShops, hasSameProfile, type Shop } from "../records/shops.ts";
import { createAccessTokens } from "../shopify-api/access-tokens.ts";
import { createGraphql } from "../shopify-api/graphql.ts";
import { apiVersionWarnings } from "../shops/api-version.ts";
import { createTokenSigner } from "../signatures/token-signer.ts";

import { hostJobs } from "./host-jobs.ts";
import { scheduledTasks } from "./scheduled-tasks.ts";

type HostParts = Pick<AppContext, "ledger" | "log" | "clock" | "random">;

/** Builds the parts of the app server and connects them. */
export function createAppContext(
  config: ShopifyConfig,
  host: HostParts,
  openTelemetry: OpenTelemetry | null,
): AppContext {
  const { clock } = host;
  // `context` is created below. None of these functions is called before it exists.
  const shopParts = createShopParts(config, host, () => context.engine.storeBlocks);
  const checkout: CheckoutServer = createCheckoutServer({
    ...hostOptionsOf(config),
    ...host,
    // Calls end in real time, but until when a refund may be sent is compared with the clock that stored its request.
    callClock: { ...systemClock, now: clock.now },
    ...(openTelemetry ? { openTelemetry } : {}),
    stores: createShopDirectory(config, host, shopParts),
    credentials: "stored",
    // The app reconciles with its own scheduled task, which skips shops that are uninstalled or must reconnect.
    reconcile: "off",
    hostJobs: hostJobs(() => context),
    scheduledTasks: scheduledTasks(() => context),
    warnings: () => apiVersionWarnings(context),
  });
  const { storedCredentials: credentials } = checkout;
  if (!credentials)
    throw new CheckoutError(
      "configuration_invalid",
      "The ledger stores no secrets, so the shops have no stored credentials.",
    );
  const context: AppContext = {
    ...host,
    ...shopParts,
    config,
    checkout,
    engine: checkout.engine,
    credentials,
    signer: createTokenSigner(config.keys),
  };
  return context;
}

type ShopParts = Pick<
  AppContext,
  "shops" | "oauth" | "tokens" | "graphql" | "sessions" | "customers" | "notices" | "refundSearches"
>;

function createShopParts(
  { app }: ShopifyConfig,
  { ledger, log, clock }: HostParts,
  storeBlocks: () => Engine["storeBlocks"],
): ShopParts {
  const { records, secrets } = ledger;
  const shopUrl = createShopUrl(app.shopEndpoint);
  const oauth = { ...app, shopUrl };
  const shops = createShops(records);
  const tokens = createAccessTokens({ secrets, app: oauth, clock, log });
  const onReconnectRequired = async (shop: string, reconnectReason: string) => {
    const known = await shops.find(shop);
    if (!known) return;
    // Tasks that are no calls of the engine meet refusals too.
    if (known.uninstalledAt === null) await storeBlocks().refused(shop, "read");
    if (known.reconnectReason === reconnectReason) return;
    log.error("shopify.reconnect_required", { storeId: shop });
    await shops.update(shop, { reconnectReason });
  };
  // Shopify accepts our token again, without an owner who opened the app.
  const onAnswered = async (shop: string) => {
    const blocks = storeBlocks();
    if (!blocks.isKnown(shop)) return;
    await Promise.all((["read", "pay", "write"] as const).map((kind) => blocks.answered(shop, kind)));
    if ((await shops.find(shop))?.reconnectReason != null) await shops.update(shop, { reconnectReason: null });
  };
  const onAccessDenied = async (shop: string, deniedOperation: string) => {
    log.error("shopify.access_denied", { storeId: shop, operation: deniedOperation });
    const known = await shops.find(shop);
    if (known && known.deniedOperation !== deniedOperation) await shops.update(shop, { deniedOperation });
  };
  const api = { tokens, shopUrl, apiVersion: app.apiVersion, clock };
  const graphql = createGraphql({ ...api, onAnswered, onReconnectRequired, onAccessDenied });
  const sessions = createPaymentSessions(records);
  const customers = createSessionCustomers(records);
  const notices = createOwnerNotices(records, clock.now);
  const refundSearches = createRefundSearches(records);
  return { shops, oauth, tokens, graphql, sessions, customers, notices, refundSearches };
}

/**
 * The stores of the checkout server: all shops in the records. A shop that uninstalled the app is among them, because it
 * may still have payments in progress.
 */
function createShopDirectory(config: ShopifyConfig, host: HostParts, parts: ShopParts): StoreDirectory {
  const { shops, oauth, graphql, sessions, customers, notices } = parts;
  const { ledger, clock, log } = host;
  const isStarted = async (ref: OrderRef) => (await ledger.paymentsOfOrder(ref)).length > 0;
  // At most one payment is written to each payment group of Shopify.
  const groupClaims = createGroupClaims(ledger.records, "shopify-group");
  const storeParts = { graphql, notices, shops, shopUrl: oauth.shopUrl, clock, log };
  const createAdapter = (shop: Shop): StoreAdapter =>
    config.app.mode === "offsite"
      ? createOffsiteAdapter(shop.domain, { ...storeParts, sessions, customers, claims: groupClaims }, shop)
      : createOrderAdapter(shop.domain, { ...storeParts, isStarted }, shop);
  const connected = new Map<string, { readonly shop: Shop; readonly adapter: StoreAdapter }>();

  return {
    // Reads the shop every time: another process may have changed, erased or installed it since.
    async find(domain) {
      const shop = await shops.find(domain);
      if (!shop) return null;
      const known = connected.get(domain);
      if (known && hasSameProfile(known.shop, shop)) return known.adapter;
      const adapter = createAdapter(shop);
      connected.set(domain, { shop, adapter });
      return adapter;
    },
    async list() {
      const domains: string[] = [];
      for await (const { domain } of shops.all()) domains.push(domain);
      return domains;
    },
  };
}
