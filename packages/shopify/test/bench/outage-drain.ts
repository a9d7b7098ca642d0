// npm run bench -- shopify-outage [payments]
//
// 10,000 payments arrive while Shopify does not answer. Measures the calls during the outage, and that each payment is
// resolved once after the outage, with few repeated calls. Shopify has posted the payment sessions, the ledger
// contains their payments as verified, and a small fake of the service confirms each payment that is read.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import { money, type Payment, silentLog } from "@tillkit/core";
import { NEW_PAYMENT_DEFAULTS } from "@tillkit/core/ledger";
import { openLedger } from "@tillkit/ledger";
import { createSandbox } from "@tillkit/sandbox";
import { createShopifyApp } from "@tillkit/shopify";
import { createShopifySimulator, findShopViolations, type PaymentSession } from "@tillkit/shopify-simulator";
import { freePort } from "../../../../test/programs/free-port.ts";
import { configOf, connectionOf, saveSettings } from "../simulator/app-config.ts";

const RESOLVE = "paymentSessionResolve";
const OUTAGE_MS = 20_000;
const GIVE_UP_AFTER_MS = 30 * 60_000;
const MAX_CALLS_PER_SECOND_WHILE_DOWN = 5;
/** The allowed share of repeated calls after the outage, because answers come late on a busy machine. */
const MAX_SHARE_OF_REPEATS = 0.05;
const TOTAL = money(12_500, "XOF");

const count = Number(process.argv[2] ?? 10_000);
const simulator = await createShopifySimulator();
const sandbox = await createSandbox();
const service = await openService();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const config = configOf({ url, mode: "offsite", simulator, sandbox, more: { service: { baseUrl: service.url } } });
const ledger = await openLedger("sqlite::memory:", { secretKeys: config.secretKeys.map(String) });
const app = await createShopifyApp(config, { ledger, log: silentLog });
const server = createServer(app.listener);
await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
simulator.connectApp(connectionOf(url, "offsite"));
const shop = simulator.openShop("acme");

try {
  await shop.install();
  await saveSettings(shop, url, { testKey: sandbox.keys.test.secret, testSecret: "whsec_of_the_bench" });
  const sessions = await postSessions();
  simulator.faults.add({ on: RESOLVE, status: 503, times: Number.POSITIVE_INFINITY });
  for (const session of sessions) await storeVerifiedPayment(session);
  console.log(`${count} payments are verified, and Shopify answers 503.`);
  app.start();
  await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
  const callsDuringOutage = shop.record.callsOf(RESOLVE).length;
  simulator.faults.clear();
  const tookMs = await waitUntilResolved();
  process.exitCode = report(callsDuringOutage, tookMs) ? 0 : 1;
} finally {
  await app.close();
  server.closeAllConnections();
  server.close();
  await Promise.all([simulator.close(), sandbox.close(), ledger.close(), service.close()]);
}

async function postSessions(): Promise<readonly PaymentSession[]> {
  const sessions: PaymentSession[] = [];
  while (sessions.length < count) {
    const posting = Array.from({ length: Math.min(50, count - sessions.length) }, () =>
      shop.startPayment({ total: TOTAL }),
    );
    for (const { session } of await Promise.all(posting)) sessions.push(session);
  }
  return sessions;
}

async function storeVerifiedPayment({ gid, group }: PaymentSession): Promise<void> {
  const id = randomUUID();
  const now = Date.now();
  const payment: Payment = {
    ...NEW_PAYMENT_DEFAULTS,
    id,
    ref: { storeId: shop.domain, orderId: group },
    orderNumber: group,
    attempt: gid,
    environment: "test",
    account: null,
    credentialId: `shopify-test-${shop.domain}`,
    createdAt: now,
    amountDue: TOTAL,
    wireAmount: TOTAL.minor,
    request: "{}",
    reference: `${id}.bench`,
    session: { id: `cs_${id}`, url: `${service.url}/pay/${id}`, expiresAt: now + 3_600_000 },
    transactionId: `tx_${id}`,
    state: "verified",
  };
  const job = { kind: "confirm", storeId: shop.domain, paymentId: id, payload: "", dueAt: now } as const;
  const result = await ledger.commit({ payment: { next: payment, expect: "new" }, jobs: [job], timeline: [] });
  if (result !== "done") throw new Error(`A payment could not be stored: ${result}.`);
}

/** A service that answers every session as paid. */
async function openService() {
  const fakeService = createServer((request, response) => {
    const id = (request.url ?? "").split("/").at(-1)?.replace("cs_", "") ?? "";
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        id: `cs_${id}`,
        checkout_session_id: `cs_${id}`,
        status: "completed",
        amount: TOTAL.minor,
        currency_code: TOTAL.currency,
        environment: "test",
        transaction_id: `tx_${id}`,
        metadata: { tillkit_reference: `${id}.bench` },
      }),
    );
  });
  const servicePort = await freePort();
  await new Promise<void>((resolve) => fakeService.listen(servicePort, "127.0.0.1", resolve));
  const close = async () => {
    fakeService.closeAllConnections();
    fakeService.close();
  };
  return { url: `http://127.0.0.1:${servicePort}`, close };
}

async function waitUntilResolved(): Promise<number> {
  const startedAt = performance.now();
  for (let second = 0; shop.record.effectsOf("resolved").length < count; second += 1) {
    if (performance.now() - startedAt > GIVE_UP_AFTER_MS) break;
    if (second % 15 === 14) console.log(`  ${shop.record.effectsOf("resolved").length} resolved`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return performance.now() - startedAt;
}

function report(callsDuringOutage: number, tookMs: number): boolean {
  const calls = shop.record.callsOf(RESOLVE);
  const callsPerSecond = new Map<number, number>();
  for (const { at } of calls) {
    const second = Math.floor(at / 1_000);
    callsPerSecond.set(second, (callsPerSecond.get(second) ?? 0) + 1);
  }
  const resolved = shop.record.effectsOf("resolved").length;
  const violations = findShopViolations(shop.record);
  console.log(
    `  calls in ${OUTAGE_MS / 1_000} s of outage       ${callsDuringOutage}   (at most ${MAX_CALLS_PER_SECOND_WHILE_DOWN} a second)`,
  );
  console.log(`  resolved                      ${resolved} of ${count} in ${(tookMs / 1_000).toFixed(0)} s`);
  console.log(`  calls after the outage        ${calls.length - callsDuringOutage}`);
  console.log(`  most calls in one second      ${Math.max(...callsPerSecond.values())}`);
  for (const sentence of violations) console.log(`  ${sentence}`);
  const hadFewCalls = callsDuringOutage <= (MAX_CALLS_PER_SECOND_WHILE_DOWN * OUTAGE_MS) / 1_000;
  const hasFewRepeats = calls.length - callsDuringOutage <= count * (1 + MAX_SHARE_OF_REPEATS);
  const isKept = hadFewCalls && resolved === count && hasFewRepeats && violations.length === 0;
  console.log(isKept ? "All limits are kept." : "A limit is exceeded.");
  return isKept;
}
