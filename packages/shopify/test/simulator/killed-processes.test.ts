import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { createSandbox, type Sandbox } from "@tillkit/sandbox";
import type { ShopifyConfigInput } from "@tillkit/shopify";
import {
  createShopifySimulator,
  findShopViolations,
  type PaymentSession,
  type ShopifySimulator,
  type SimulatedShop,
} from "@tillkit/shopify-simulator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, type Program } from "../../../../test/programs/bundle-program.ts";
import { freePort } from "../../../../test/programs/free-port.ts";
import { configOf, connectionOf, saveSettings } from "./app-config.ts";
import { registerWebhook, TOTAL, wait } from "./fixture.ts";
import { APP_PROCESS, killProcess, startAppProcess } from "./start-app-process.ts";

const RESOLVE = "paymentSessionResolve";
/** The clock of each new process is this far ahead of the previous one's: longer than any lease of a killed process. */
const AHEAD_MS = 200_000;

let simulator: ShopifySimulator;
let sandbox: Sandbox;
let shop: SimulatedShop;
let config: ShopifyConfigInput;
/** The ledger of the process, opened by the test. */
let ledger: Awaited<ReturnType<typeof openLedger>>;
let folder: string;
let program: Program;
let port: number;
let child: ChildProcess;
let aheadMs = 0;

async function start(): Promise<void> {
  child = await startAppProcess({ config, port, aheadMs }, program.file);
  aheadMs += AHEAD_MS;
}

beforeAll(async () => {
  program = await bundleProgram(APP_PROCESS);
  folder = await mkdtemp(join(tmpdir(), "tillkit-shopify-"));
  simulator = await createShopifySimulator();
  sandbox = await createSandbox();
  port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const database = `sqlite:${join(folder, "ledger.db")}`;
  config = configOf({ url, mode: "offsite", simulator, sandbox, more: { database, logLevel: "error" } });
  ledger = await openLedger(database, { secretKeys: config.secretKeys.map(String) });
  simulator.connectApp(connectionOf(url, "offsite"));
  shop = simulator.openShop("acme");
  await start();
  await shop.install();
  const testSecret = await registerWebhook(sandbox, url, "test_acme");
  await saveSettings(shop, url, { testKey: sandbox.keys.test.secret, testSecret });
});

afterAll(async () => {
  await killProcess(child);
  await Promise.all([simulator.close(), sandbox.close(), ledger.close()]);
  await Promise.all([rm(folder, { recursive: true, force: true }), program.remove()]);
});

/** Starts a payment and opens its hosted page. */
async function openSession(): Promise<{ readonly session: PaymentSession; readonly sessionId: string }> {
  const { session } = await shop.startPayment({ total: TOTAL });
  await fetch(session.redirectUrl ?? "", { redirect: "manual" });
  const payment = await ledger.find({ attempt: session.gid, storeId: shop.domain });
  return { session, sessionId: payment?.session?.id ?? expect.fail("No session was opened.") };
}

/** The points at which the process is killed. `arm` adds a fault that stops it there; `isThere` tells whether it has arrived. */
const POINTS = {
  "while it reads the payment from the service": {
    arm: (sessionId: string) =>
      sandbox.control.addFault({ method: "GET", path: `/checkout-sessions/${sessionId}`, delayMs: 60_000 }),
    isThere: async () => sandbox.control.listFaults().length === 0,
  },
  "after the service answered, before the result reaches Shopify": {
    arm: async () => simulator.faults.add({ on: RESOLVE, delayMs: 3_600_000 }),
    isThere: () => wait(300).then(() => true),
  },
  "after Shopify resolved the session, before it answered": {
    arm: async () => simulator.faults.add({ on: RESOLVE, hang: true, when: "after" }),
    isThere: async () => shop.record.calls.some(({ outcome }) => outcome === "done, then hang"),
  },
  "after Shopify answered 503": {
    arm: async () => simulator.faults.add({ on: RESOLVE, status: 503 }),
    isThere: async () => shop.record.calls.some(({ outcome }) => outcome === "503"),
  },
  "the moment the webhook was answered": {
    arm: async () => undefined,
    isThere: async () => (await sandbox.control.listDeliveries()).some(({ attempts }) => attempts.length > 0),
  },
  "twenty milliseconds after the shopper paid": {
    arm: async () => undefined,
    isThere: () => wait(20).then(() => true),
  },
} as const;

test.each(Object.entries(POINTS))(
  "a payment is resolved once after its process was killed %s",
  async (_where, { arm, isThere }) => {
    const { session, sessionId } = await openSession();
    await arm(sessionId);
    await sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" });
    await expect.poll(isThere, { interval: 5 }).toBe(true);
    await killProcess(child);
    simulator.faults.clear();
    await sandbox.control.clearFaults();
    await start();
    await expect.poll(() => session.state).toBe("resolved");
    expect(shop.record.effectsOf("resolved").filter(({ id }) => id === session.gid)).toHaveLength(1);
    expect(findShopViolations(shop.record)).toEqual([]);
  },
);

test("the payments of twelve shoppers are each resolved once although the process is killed at random moments", async () => {
  const opened: Awaited<ReturnType<typeof openSession>>[] = [];
  for (let shopper = 0; shopper < 12; shopper += 1) opened.push(await openSession());
  for (const [index, { sessionId }] of opened.entries()) {
    await sandbox.control.paySession(sessionId, { method: "card", outcome: "completed" });
    if (index % 4 !== 3) continue;
    await wait((index * 37) % 90);
    await killProcess(child);
    await start();
  }
  const states = () => new Set(opened.map(({ session }) => session.state));
  await expect.poll(states).toEqual(new Set(["resolved"]));
  expect(findShopViolations(shop.record)).toEqual([]);
});
