import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryLedger, type LogFields, type MemoryLedger } from "@tillkit/core";
import { createManualClock, createSeededRandom, type ManualClock } from "@tillkit/testkit";
import express, { type Express } from "express";
import { type CheckoutServer, type CheckoutServerOptions, createCheckoutServer } from "../../src/index.ts";
import { type FakeService, openFakeService } from "./fake-service.ts";
import { openSmallShop, type SmallShop, shopOrder } from "./small-shop.ts";

export const WEBHOOK_SECRET = "whsec_of_the_boutique";
const API_KEY = "svc_sk_test_0123456789abcdefghijklmnopqrstuv";
export const LINK_KEY = "the newest key of this merchant, long enough";

export type LogLine = {
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly fields: LogFields;
};

/** A merchant's whole set-up on real ports: service, shop, ledger, checkout server, and a clock moved by hand. */
export type MerchantWorld = {
  readonly url: string;
  readonly clock: ManualClock;
  readonly service: FakeService;
  readonly shop: SmallShop;
  readonly ledger: MemoryLedger;
  readonly checkout: CheckoutServer;
  readonly lines: LogLine[];
  /** The order goes to payment; answers where its return and cancel links lead, as the service would send the shopper. */
  startPayment(): Promise<{ paymentId: string; returnPath: string; cancelPath: string }>;
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

export type WorldWish = {
  readonly options?: Partial<CheckoutServerOptions>;
  /** How the host mounts the checkout; the listener in front of an Express app with the router, unless set. */
  readonly host?: (checkout: CheckoutServer, app: Express) => RequestListener;
  /** The path part of the public URL. */
  readonly basePath?: string;
  /** Beside the boutique, under the same key. */
  readonly otherShops?: Readonly<Record<string, SmallShop>>;
};

export async function openMerchantWorld(wish: WorldWish = {}): Promise<MerchantWorld> {
  const { host = listenerInFront, basePath = "", otherShops = {} } = wish;
  const clock = createManualClock();
  const service = await openFakeService((wish.options?.clock ?? clock).now);
  const shop = openSmallShop();
  const shops = { boutique: shop, ...otherShops };
  const ledger = createMemoryLedger();
  const lines: LogLine[] = [];
  const server = createServer();
  const url = `${await listen(server)}${basePath}`;

  const checkout = createCheckoutServer({
    publicUrl: url,
    keys: [LINK_KEY],
    ledger,
    stores: Object.fromEntries(Object.entries(shops).map(([storeId, { adapter }]) => [storeId, adapter])),
    credentials: [
      {
        storeIds: Object.keys(shops),
        apiKey: API_KEY,
        baseUrl: service.baseUrl,
        endpointId: "boutique-test",
        webhookSecrets: [WEBHOOK_SECRET],
      },
    ],
    clock,
    random: createSeededRandom(1),
    log: recordIn(lines),
    ...wish.options,
  });
  server.on("request", host(checkout, express()));

  return {
    url,
    clock,
    service,
    shop,
    ledger,
    checkout,
    lines,
    async startPayment() {
      const start = await checkout.startCheckout(shop.order ?? shopOrder);
      if (start.status !== "redirect") throw new Error(`The order did not go to payment: ${start.status}.`);
      const { success_url, cancel_url } = service.newest().body;
      return {
        paymentId: start.paymentId,
        returnPath: String(success_url).slice(url.length),
        cancelPath: String(cancel_url).slice(url.length),
      };
    },
    get: (path, init = {}) => fetch(`${url}${path}`, { redirect: "manual", ...init }),
    async close() {
      const closing = checkout.close();
      await clock.advance(20_000);
      await closing;
      await Promise.all([service.close(), stop(server)]);
    },
  };
}

/** What stands in a log line and must not. Empty when the merchant's log is discreet. */
export function secretsTold({ lines }: MerchantWorld): string[] {
  const told = JSON.stringify(lines);
  return [API_KEY, WEBHOOK_SECRET, LINK_KEY, "Awa Diop"].filter((secret) => told.includes(secret));
}

function listenerInFront(checkout: CheckoutServer, app: Express): RequestListener {
  app.use(express.json());
  app.use(checkout.router);
  return checkout.listener(app);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await stopped;
}

function recordIn(lines: LogLine[]): NonNullable<CheckoutServerOptions["log"]> {
  const line =
    (level: LogLine["level"]) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields });
    };
  return { info: line("info"), warn: line("warn"), error: line("error") };
}
