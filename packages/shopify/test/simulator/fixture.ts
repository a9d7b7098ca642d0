import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createServiceClient } from "@tillkit/client";
import { type Ledger, type Log, type LogFields, money, type Payment, systemClock } from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import { createShopifyApp, type ShopifyApp, type ShopifyConfigInput } from "@tillkit/shopify";
import {
  createShopifySimulator,
  findShopViolations,
  type PaymentSession,
  type ShopifySimulator,
  type ShopOptions,
  type SimulatedShop,
} from "@tillkit/shopify-simulator";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { expect, onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../../../test/waiting/patience.ts";
import { configOf, connectionOf, saveSettings } from "./app-config.ts";

const NOVEMBER = Date.UTC(2026, 10, 22, 9);
export const TOTAL = money(12_500, "XOF");
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export type Line = { readonly level: string; readonly message: string; readonly fields: LogFields };

export type FixtureOptions = {
  readonly mode?: "offsite" | "order";
  /** Uses the machine's clock and starts the timer of the app. */
  readonly realTime?: boolean;
  readonly shop?: ShopOptions;
  readonly config?: Partial<ShopifyConfigInput>;
  /** The shop installs the app, and no API key of the service is saved for it. */
  readonly withoutServiceKeys?: boolean;
  /** The database of the ledger; SQLite in memory by default. */
  readonly database?: string;
};

/** The app server, its shops in the simulator and the payment service, all over HTTP. */
export type Fixture = {
  readonly clock: ManualClock;
  readonly simulator: ShopifySimulator;
  readonly sandbox: Sandbox;
  readonly shop: SimulatedShop;
  readonly app: ShopifyApp;
  readonly ledger: Ledger;
  readonly url: string;
  readonly log: readonly Line[];
  /** A second app on the same ledger that runs tasks and receives no requests. */
  openSecondApp(): Promise<ShopifyApp>;
  /** All apps run their due tasks until none is due. */
  settle(): Promise<void>;
  /**
   * Advances the clocks and runs what becomes due. A step ends when a task becomes due, but is never shorter than `shortestStepMs`
   * (100 ms by default) or longer than `longestStepMs` (five minutes by default).
   */
  advanceTime(ms: number, steps?: { longestStepMs?: number; shortestStepMs?: number }): Promise<void>;
  /** A shopper opens the redirect URL and reaches the hosted page. Returns the open payment. */
  visit(session: PaymentSession): Promise<Payment>;
  /** The shopper opens a URL of the app. Redirects are not followed. */
  open(url: string): Promise<{ readonly status: number; readonly location: string | null; readonly text: string }>;
  pay(payment: Payment, outcome?: "completed" | "failed" | "pending"): Promise<void>;
  payment(session: PaymentSession): Promise<Payment>;
  /** Follows the redirects of the app to the first URL of another server. */
  follow(url: string): Promise<string>;
  /** Runs due tasks until the condition holds; fails after `PATIENCE_MS`. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** From now on the webhooks of the service do not arrive, until `unblockWebhooks`. */
  blockWebhooks(): void;
  unblockWebhooks(): void;
  /** The owner saves the app's settings page with these fields. */
  settings(form: Readonly<Record<string, string>>): Promise<Response>;
};

const SHORTEST_STEP_MS = 100;
/**
 * How many pauses one round of due tasks may take: more than any request over the loopback. They are counted and not measured, because on a
 * busy machine they get longer as the round does.
 */
const ROUND_PAUSES = 600;
const PAUSE_MS = 5;

export async function openFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const { mode = "offsite", realTime = false } = options;
  const manualClock = createManualClock(NOVEMBER);
  const clock = realTime ? systemClock : manualClock;
  const simulator = await createShopifySimulator({ clock });
  const sandbox = await createSandbox({ clock });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = configOf({ url, mode, simulator, sandbox, more: options.config ?? {} });
  const ledger = await openLedger(options.database ?? "sqlite::memory:", { secretKeys: config.secretKeys.map(String) });
  const log: Line[] = [];
  const host = { ledger, clock, log: logInto(log) };
  const app = await createShopifyApp(config, host);
  const apps = [app];
  let areWebhooksBlocked = false;
  server.on("request", (request, response) => {
    if (areWebhooksBlocked && request.url?.startsWith("/hooks/")) return void response.writeHead(503).end();
    app.listener(request, response);
  });
  simulator.connectApp(connectionOf(url, mode));
  const shop = simulator.openShop("acme", options.shop);
  if (realTime) app.start();
  onTestFinished(async () => {
    expect(findShopViolations(shop.record)).toEqual([]);
    await Promise.all(apps.map((each) => each.close()));
    await Promise.all([simulator.close(), closeServer(server), sandbox.close()]);
    await ledger.close();
  });

  async function runDueTasks(): Promise<number> {
    const runs = apps.map((each) => Promise.race([each.runDue(), pause(ROUND_PAUSES).then(() => 0)]));
    return (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
  }

  async function settle(): Promise<void> {
    // One round without a task is not enough: a webhook may have arrived during it.
    let idleRounds = 0;
    while (idleRounds < 2) {
      await simulator.webhooks.settled();
      const tasksRun = await runDueTasks();
      idleRounds = tasksRun === 0 ? idleRounds + 1 : 0;
      await wait(PAUSE_MS);
    }
  }

  async function payment({ gid }: PaymentSession): Promise<Payment> {
    const stored = await ledger.find({ attempt: gid, storeId: shop.domain });
    return stored ?? expect.fail(`The ledger has no payment of ${gid}.`);
  }

  const fixture: Fixture = {
    clock: manualClock,
    simulator,
    sandbox,
    shop,
    app,
    ledger,
    url,
    log,
    payment,
    settle,
    async openSecondApp() {
      const second = await createShopifyApp(config, host);
      apps.push(second);
      return second;
    },
    async advanceTime(ms, { longestStepMs = 5 * MINUTE, shortestStepMs = SHORTEST_STEP_MS } = {}) {
      const end = manualClock.now() + ms;
      while (manualClock.now() < end) {
        const wakes = [
          (await ledger.nextDueAt()) ?? end,
          manualClock.nextWakeAt() ?? end,
          manualClock.now() + longestStepMs,
          end,
        ];
        await manualClock.advance(Math.max(shortestStepMs, Math.min(...wakes) - manualClock.now()));
        // The sandbox shares this clock, and now does what became due at the service.
        await sandbox.control.advanceClock(0);
        await settle();
      }
    },
    async visit(session) {
      const { location } = await fixture.open(
        session.redirectUrl ?? expect.fail("Shopify has no redirect URL of the session."),
      );
      const visited = await payment(session);
      expect(location).toBe(visited.session?.url);
      return visited;
    },
    async open(pageUrl) {
      const response = await fetch(pageUrl, { redirect: "manual" });
      return { status: response.status, location: response.headers.get("location"), text: await response.text() };
    },
    async pay({ session }, outcome = "completed") {
      await sandbox.control.paySession(session?.id ?? "", { method: outcome === "pending" ? "wave" : "card", outcome });
    },
    async follow(firstUrl) {
      let current = firstUrl;
      while (current.startsWith(url)) {
        const { location } = await fixture.open(current);
        current = new URL(location ?? expect.fail(`${current} leads nowhere.`), current).href;
      }
      return current;
    },
    async until(condition) {
      const giveUpAt = Date.now() + PATIENCE_MS;
      while (!(await condition())) {
        if (Date.now() > giveUpAt) throw new Error("The condition did not hold within four minutes.");
        await settle();
      }
    },
    blockWebhooks() {
      areWebhooksBlocked = true;
    },
    unblockWebhooks() {
      areWebhooksBlocked = false;
    },
    settings: (form) => saveSettings(shop, url, form),
  };
  await shop.install();
  if (!options.withoutServiceKeys) await saveServiceKeys(fixture, mode);
  return fixture;
}

/** Registers a webhook of the service for a shop and returns its secret. */
export async function registerWebhook(sandbox: Sandbox, url: string, endpointId: string): Promise<string> {
  const client = createServiceClient({ apiKey: sandbox.keys.test.secret, baseUrl: sandbox.baseUrl });
  const { data } = await client.webhooks.create({
    url: `${url}/hooks/service/${endpointId}`,
    authorized_events: ["PAYMENT_CREATED", "PAYMENT_SUCCEEDED", "PAYMENT_FAILED", "REFUND_COMPLETED", "REFUND_FAILED"],
  });
  return data.secret ?? "";
}

async function saveServiceKeys({ sandbox, url, settings }: Fixture, mode: "offsite" | "order"): Promise<void> {
  const testSecret = await registerWebhook(sandbox, url, "test_acme");
  const gatewayName = mode === "order" ? { gatewayName: "Mobile money" } : {};
  const { status } = await settings({ testKey: sandbox.keys.test.secret, testSecret, ...gatewayName });
  expect(status).toBe(303);
}

function logInto(lines: Line[]): Log {
  const write =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  return { info: write("info"), warn: write("warn"), error: write("error") };
}

async function pause(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await wait(PAUSE_MS);
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
