// Measures the time from the arrival of a webhook until its order is marked paid. Two hundred shoppers follow their links at once
// and pay at the same moment; the shop answers after 50 ms. Target: no wrong order, and 95 of 100 within a second. With `burst`
// the webhooks also arrive at the same moment; then there is no target for the time, because the checkout server sends at most
// fifty concurrent requests to one shop. Only the checkout server runs in this process, with its ledger in a file.
// npm run bench -- woocommerce [plugin|rest|auto] [burst]
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { allPages } from "@tillkit/runtime";
import { createWooCommerceServer } from "@tillkit/woocommerce";
import type { BenchResponse } from "./surroundings-messages.ts";
import { startSurroundings } from "./surroundings-process.ts";

const ORDERS = 200;
const LATENCY_MS = 50;
const TARGET_MS = 1_000;
const TIMEOUT_MS = 60_000;
const STORE_ID = "boutique";
const LINK_SECRET = "a link secret of a bench, never of a real shop";

const writeOrdersBy = (["plugin", "rest", "auto"] as const).find((mode) => mode === process.argv[2]) ?? "auto";
const isBurst = process.argv.includes("burst");
const ledgerFolder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { addresses, ...surroundings } = await startSurroundings();
const { serviceUrl, apiKey, shopUrl, consumerKey, consumerSecret } = addresses;
const { webhookSecret } = await surroundings.send({
  kind: "connect",
  checkoutServerUrl: url,
  storeId: STORE_ID,
  linkSecret: LINK_SECRET,
  webhookBatch: isBurst ? ORDERS : 0,
});
const shop = { url: shopUrl, consumerKey, consumerSecret, linkSecret: LINK_SECRET, writeOrdersBy };
const ledger = await openLedger(`sqlite:${join(ledgerFolder, "ledger.db")}`);
const checkoutServer = await createWooCommerceServer(
  {
    publicUrl: url,
    database: "given",
    keys: ["a key of a bench that signs links, never of a host"],
    service: { baseUrl: serviceUrl },
    stores: [{ id: STORE_ID, ...shop, apiKey, webhookSecrets: [webhookSecret], currencies: ["XOF"] }],
  },
  { ledger },
);
server.on("request", checkoutServer.listener);
checkoutServer.start();

const { orderIds, payLinks } = await surroundings.send({ kind: "place", orders: ORDERS, latencyMs: LATENCY_MS });
const followedAt = performance.now();
await Promise.all(payLinks.map(follow));
console.log(`${ORDERS} pay links followed at once: ${Math.round(performance.now() - followedAt)} ms`);
await surroundings.send({ kind: "pay", sessions: await Promise.all(orderIds.map(sessionOf)) });
await waitUntilPaid();
report(await surroundings.send({ kind: "report" }), await arrivals());
await checkoutServer.close();
await ledger.close();
await surroundings.close();
server.closeAllConnections();
server.close();
await rm(ledgerFolder, { recursive: true, force: true });

async function follow(link: string): Promise<void> {
  const answer = await fetch(link, { redirect: "manual" });
  if (answer.status !== 303) throw new Error(`A pay link was answered ${answer.status}.`);
}

async function sessionOf(orderId: number): Promise<string> {
  const [payment] = await ledger.paymentsOfOrder({ storeId: STORE_ID, orderId: String(orderId) });
  return payment?.session?.id ?? "";
}

async function waitUntilPaid(): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  while ((await ledger.countPayments()).recorded < ORDERS && Date.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** When the first webhook of each order arrived. */
async function arrivals(): Promise<ReadonlyMap<number, number>> {
  const arrivedAt = new Map<number, number>();
  for await (const rows of allPages((page) => ledger.listDeliveries(page))) {
    for (const { paymentId, receivedAt } of rows) {
      const payment = paymentId === null ? null : await ledger.find({ id: paymentId });
      // The list is newest first, so the last row of an order is its first delivery.
      if (payment) arrivedAt.set(Number(payment.ref.orderId), receivedAt);
    }
  }
  return arrivedAt;
}

function report(
  { effects, forwardedAt, wrong }: BenchResponse["report"],
  arrivedAt: ReadonlyMap<number, number>,
): void {
  const waits = effects.map(({ orderId, at }) => at - (forwardedAt ?? arrivedAt.get(orderId) ?? Number.NaN));
  waits.sort((left, right) => left - right);
  const percentile = (share: number) => waits[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? Number.NaN;
  const times = [...arrivedAt.values()];
  const spanMs = Math.max(...times) - Math.min(...times);
  console.log(
    `marked paid by ${writeOrdersBy}: ${effects.length} paid, ${wrong} wrong; the webhooks arrived within ${spanMs} ms`,
  );
  console.log(
    `from webhook to paid: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, longest ${percentile(1)} ms (target: p95 ${TARGET_MS} ms)`,
  );
  const isSlow = !isBurst && !(percentile(0.95) <= TARGET_MS);
  if (wrong > 0 || waits.length !== ORDERS || isSlow) process.exitCode = 1;
}
