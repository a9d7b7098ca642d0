import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Ledger, Log, LogFields, StoreAdapter } from "@tillkit/core";
import type { HostJobKind, StoredJob } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { createShopifyApp, type ShopifyApp, type ShopifyConfigInput } from "@tillkit/shopify";
import {
  createShopifySimulator,
  type ShopifySimulator,
  type ShopOptions,
  type SimulatedShop,
} from "@tillkit/shopify-simulator";
import { createManualClock, createSeededRandom, type ManualClock } from "@tillkit/testkit";
import { connectionOf } from "./simulator/app-config.ts";

const NOW = Date.UTC(2026, 10, 22, 9);
const KEY = "a key of the tests, long enough to sign links with";
const SECRET_KEY = "a secret of the tests that seals what the ledger keeps";
export const TEST_KEY = "svc_sk_test_0123456789abcdefghijklmnop";
export const WEBHOOK_SECRET = "whsec_of_the_tests_0123456789";

export type Line = { readonly level: string; readonly message: string; readonly fields: LogFields };

/** The app server and one shop in the simulator. The payment service accepts every key, has no webhook and takes no payment. */
export type AppFixture = {
  readonly url: string;
  readonly clock: ManualClock;
  readonly simulator: ShopifySimulator;
  readonly shop: SimulatedShop;
  readonly app: ShopifyApp;
  readonly config: ShopifyConfigInput;
  readonly ledger: Ledger;
  /** What the app has logged. */
  readonly lines: Line[];
  /** How long the simulator has delayed its answers so far, one entry for each delay, in milliseconds. */
  readonly delays: readonly number[];
  adapter(): Promise<StoreAdapter>;
  /** The number of rows of a kind in the ledger. */
  rows(kind: string): Promise<number>;
  /** The jobs of a kind that are not done, newest first. */
  jobs(kind: HostJobKind): Promise<readonly StoredJob[]>;
  close(): Promise<void>;
};

export type AppFixtureOptions = {
  readonly mode?: "offsite" | "order";
  readonly config?: Partial<ShopifyConfigInput>;
  readonly app?: Partial<ShopifyConfigInput["app"]>;
  /** Whether the shop has installed the app. True by default. */
  readonly installed?: boolean;
  /** Whether the shop has a test key of the service. By default it has one. */
  readonly keys?: boolean;
  /** The start of the clock, in milliseconds since 1970. */
  readonly now?: number;
  readonly shop?: ShopOptions;
};

export async function openAppFixture(options: AppFixtureOptions = {}): Promise<AppFixture> {
  const { mode = "offsite", installed = true, keys = true } = options;
  const clock = createManualClock(options.now ?? NOW);
  const delays: number[] = [];
  const sleep: ManualClock["sleep"] = (ms, signal) => {
    delays.push(ms);
    return clock.sleep(ms, signal);
  };
  const simulator = await createShopifySimulator({ clock: { now: clock.now, sleep } });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startEmptyService();
  const lines: Line[] = [];
  const ledger = await openLedger("sqlite::memory:", { secretKeys: [SECRET_KEY] });
  const config: ShopifyConfigInput = {
    publicUrl: url,
    database: "sqlite::memory:",
    keys: [KEY],
    secretKeys: [SECRET_KEY],
    service: { baseUrl: service.url },
    clientCertificates: { verifiedBy: "none" },
    currencies: ["XOF", "USD", "EUR"],
    app: { mode, ...simulator.app, shopEndpoint: simulator.shopEndpoint, ...options.app },
    ...options.config,
  };
  const app = await createShopifyApp(config, { ledger, clock, log: logInto(lines), random: createSeededRandom(7) });
  server.on("request", app.listener);
  const connection = connectionOf(url, mode);
  const topics = [...connection.webhooks.topics, "orders/create", "refunds/create"];
  simulator.connectApp({ ...connection, webhooks: { ...connection.webhooks, topics } });
  const shop = simulator.openShop("acme", options.shop);
  const fixture: AppFixture = {
    ...{ url, clock, simulator, shop, app, config, ledger, lines, delays },
    adapter: () => app.checkout.engine.store(shop.domain),
    rows: async (kind) => (await ledger.records.list({ kind, limit: 100 })).length,
    jobs: async (kind) => (await ledger.listJobs({ kind, limit: 100 })).rows,
    async close() {
      const closing = app.close();
      // The app waits for its work in progress, on a clock that only this test moves.
      await clock.advance(20_000);
      await closing;
      await Promise.all([simulator.close(), stop(server), stop(service.server)]);
      await ledger.close();
    },
  };
  if (installed) await shop.install();
  if (keys) await storeServiceKey(fixture);
  if (mode === "order" && installed) await saveGatewayName(fixture);
  return fixture;
}

async function startEmptyService() {
  const server = createServer((request, response) => {
    const status = request.method === "GET" ? 200 : 404;
    response.writeHead(status, { "Content-Type": "application/json" }).end(status === 200 ? '{"data":[]}' : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export const GATEWAY = "Mobile money";

async function storeServiceKey({ app, shop }: AppFixture): Promise<void> {
  await app.checkout.storedCredentials?.put({
    id: `shopify-test-${shop.domain}`,
    storeIds: [shop.domain],
    apiKey: TEST_KEY,
    baseUrl: "http://127.0.0.1:9",
    endpointId: "test_acme",
    webhookSecrets: [WEBHOOK_SECRET],
  });
}

async function saveGatewayName(fixture: AppFixture): Promise<void> {
  const { status } = await saveSettings(fixture, { gatewayName: GATEWAY });
  if (status !== 303) throw new Error(`The settings were not saved: ${status}.`);
}

/** The owner opens the app in the shop's admin and submits the settings form. */
export async function saveSettings(
  { shop, url }: AppFixture,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const { cookies, text } = await shop.install();
  return await fetch(`${url}/shopify/settings`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies, "Accept-Language": "en" },
    body: new URLSearchParams({ form: formTokenIn(text), do: "save", ...fields }),
  });
}

export function formTokenIn(page: string): string {
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

function logInto(lines: Line[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields });
    };
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

async function stop(server: Server): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await stopped;
}
