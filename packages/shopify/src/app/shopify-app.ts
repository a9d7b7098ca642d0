import { createHmac } from "node:crypto";
import type { RequestListener } from "node:http";
import {
  CheckoutError,
  type Clock,
  createGroupClaims,
  type Ledger,
  type Log,
  type OrderRef,
  type Random,
  runDue,
  type StoreAdapter,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createJsonLog, createOutbox } from "@tillkit/runtime";
import { type CheckoutServer, createCheckoutServer, refuseUnreadable } from "@tillkit/server";
import { hostOptionsOf } from "@tillkit/server/config";
import express from "express";
import { readShopifyConfig, type ShopifyConfig, type ShopifyConfigInput } from "../config/config.ts";
import { originOfShop } from "../config/config-mistakes.ts";
import { createGraphql } from "../graphql/graphql.ts";
import { createAccessTokens } from "../oauth/access-tokens.ts";
import { type MoneyErrand, runMoneyErrand } from "../offsite/money-errand.ts";
import { createOffsiteAdapter } from "../offsite/offsite-adapter.ts";
import { createPaymentSessions } from "../offsite/payment-sessions.ts";
import { createOrderAdapter } from "../order/order-adapter.ts";
import { createOwnerLines } from "../shop/owner-lines.ts";
import { createShops } from "../shop/shops.ts";
import { createTextSigner } from "../signatures/signed-text.ts";
import { type HookErrand, runHookErrand } from "../webhooks/hook-errand.ts";
import { shopifyChores } from "./chores.ts";
import type { Desk } from "./desk.ts";
import { shopifyRoutes } from "./routes.ts";
import { createProxyCheck } from "./trusted-proxies.ts";

export type ShopifyAppOptions = {
  /** Opened with secret keys; stays open after `close()`. Opened from `database`, and closed, unless given. */
  readonly ledger?: Ledger;
  /** JSON lines to stderr from `logLevel` on, unless given. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
};

export type ShopifyApp = {
  readonly config: ShopifyConfig;
  readonly checkout: CheckoutServer;
  /** Everything behind one listener: webhooks, buyer pages, health, operators, and what Shopify and owners call. */
  readonly listener: RequestListener;
  /** Works off what is due, until `close`. Leave it out in a process that only receives. */
  start(): void;
  /**
   * One round of the payments, refunds and webhooks that are due now, for hosts with a timer of their own. Answers how much
   * there was. What is done every five minutes or every day is done after `start` only.
   */
  work(): Promise<number>;
  close(): Promise<void>;
};

/**
 * The app server of any number of Shopify shops, in the mode that its configuration names.
 * @throws CheckoutError `configuration_invalid`, one sentence for each mistake
 */
export async function createShopifyApp(
  written: ShopifyConfigInput,
  options: ShopifyAppOptions = {},
): Promise<ShopifyApp> {
  const config = readShopifyConfig(written);
  const { clock = systemClock, random = systemRandom, log = createJsonLog({ level: config.logLevel }) } = options;
  const ledger = options.ledger ?? (await openLedger(config.database, { secretKeys: config.secretKeys }));
  const desk = openDesk(config, { ledger, log, clock, random });
  const { checkout, errands } = desk;
  const basePath = new URL(config.publicUrl).pathname.replace(/\/$/, "");
  const app = express().disable("x-powered-by").disable("etag");
  const { clientCertificates } = config;
  // What a proxy of ours says of a buyer's address counts: else all of them would share the proxy's.
  if (clientCertificates.by === "proxy") app.set("trust proxy", createProxyCheck(clientCertificates.trustedProxies));
  const routes = shopifyRoutes(desk);
  // Found under the path of the public address and at the root, for proxies that cut it off and those that do not.
  for (const path of new Set(["/", basePath || "/"])) app.use(path, routes, checkout.router);
  app.use(refuseUnreadable(log));

  return {
    config,
    checkout,
    listener: checkout.listener(app),
    start: () => checkout.startTimer(),
    async work() {
      const [round, money, hooks] = [
        await runDue(checkout.engine),
        await errands.money.runDue(),
        await errands.hooks.runDue(),
      ];
      return round.done + round.retried + round.dead + money + hooks;
    },
    async close() {
      await checkout.close();
      if (!options.ledger) await ledger.close();
    },
  };
}

type Parts = Pick<Desk, "ledger" | "log" | "clock" | "random">;

function openDesk(config: ShopifyConfig, parts: Parts): Desk {
  const { ledger, log, clock } = parts;
  const { records, secrets } = ledger;
  const originOf = originOfShop(config.app.shopEndpoint);
  const oauth = { ...config.app, originOf };
  const shops = createShops(records);
  const tokens = createAccessTokens({ secrets, app: oauth, clock, log });
  const onTrouble = async (shop: string, trouble: string) => {
    log.error("shopify.reconnect", { storeId: shop });
    await shops.change(shop, { trouble });
  };
  const { apiVersion } = config.app;
  const graphql = createGraphql({ tokens, originOf, apiVersion, clock, onTrouble });
  const sessions = createPaymentSessions(records);
  const lines = createOwnerLines(records, clock.now);
  const isBegun = async (ref: OrderRef) => (await ledger.siblings(ref)).length > 0;
  const common = { graphql, lines, shops, originOf, clock, log };
  const claims = createGroupClaims(records, "shopify-group");
  const adapterOf = (shop: string): StoreAdapter =>
    config.app.mode === "offsite"
      ? createOffsiteAdapter(shop, { ...common, sessions, claims })
      : createOrderAdapter(shop, { ...common, isBegun });
  const adapters = new Map<string, StoreAdapter>();

  const checkout: CheckoutServer = createCheckoutServer({
    ...hostOptionsOf(config),
    ...parts,
    stores: {
      // Also of a shop that took the app away: what is under way there is finished.
      async find(shop) {
        const known = adapters.get(shop);
        if (known) return known;
        if (!(await shops.find(shop))) return null;
        const adapter = adapterOf(shop);
        adapters.set(shop, adapter);
        return adapter;
      },
      async list() {
        const domains: string[] = [];
        for await (const { domain } of shops.all()) domains.push(domain);
        return domains;
      },
    },
    credentials: "stored",
    scheduledTasks: shopifyChores(() => desk),
  });
  const { storedCredentials: credentials } = checkout;
  if (!credentials) throw new CheckoutError("configuration_invalid", "This ledger keeps no secrets.");
  const errandParts = { records, clock, log };
  const desk: Desk = {
    ...parts,
    ...{ config, checkout, engine: checkout.engine, credentials, shops, oauth, tokens, graphql, sessions, lines },
    signer: createTextSigner(signingKeys(config.keys)),
    errands: {
      money: createOutbox<MoneyErrand>({
        ...errandParts,
        kind: "shopify-money",
        run: (errand) => runMoneyErrand(desk, errand),
      }),
      hooks: createOutbox<HookErrand>({
        ...errandParts,
        kind: "shopify-hook",
        run: (errand) => runHookErrand(desk, errand),
      }),
    },
  };
  return desk;
}

/** What signs our cookies never signs a shopper's link. */
function signingKeys(keys: readonly string[]): readonly [string, ...string[]] {
  const derived = keys.map((key) => createHmac("sha256", key).update("tillkit key for shopify").digest("base64url"));
  const [newest = "", ...older] = derived;
  return [newest, ...older];
}
