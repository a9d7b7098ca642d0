// Two hundred shoppers press Pay at once, and pay within the next twenty seconds; the shop answers after 50 ms. How long from
// a webhook's arrival to an order marked paid? Target: none wrong, and 95 of 100 within a second. With `burst` all of them pay
// in the same moment, which is only reported. Shop, service and companion share one process. The service's own rate limits
// are switched off: they are another ceiling.
// node --import tsx --conditions=@tillkit/source packages/woocommerce/test/bench/two-hundred-orders.ts [plugin|rest|auto] [burst]
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServiceClient } from "@tillkit/client";
import { openLedger } from "@tillkit/ledger";
import { createSandbox } from "@tillkit/sandbox";
import { createWooCommerceCompanion } from "@tillkit/woocommerce";
import { createFakeWooCommerce, type FakeWooCommerce, type ShopOrder } from "@tillkit/woocommerce/fake";

const ORDERS = 200;
const LATENCY_MS = 50;
const TARGET_MS = 1_000;
const PATIENCE_MS = 60_000;
const PAID_OVER_MS = process.argv.includes("burst") ? 0 : 20_000;
const STORE_ID = "boutique";
const LINK_SECRET = "a link secret of a bench, never of a real shop";

const settleBy = (["plugin", "rest", "auto"] as const).find((way) => way === process.argv[2]) ?? "auto";
const folder = await mkdtemp(join(tmpdir(), "tillkit-bench-"));
const sandbox = await createSandbox({ settings: { ratePolicy: "off" } });
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const fake = await createFakeWooCommerce({ plugin: { companionUrl: url, storeId: STORE_ID, linkSecret: LINK_SECRET } });
const { secret: apiKey } = sandbox.keys.test;
const client = createServiceClient({ apiKey, baseUrl: sandbox.baseUrl });
const hook = { url: `${url}/hooks/service/${STORE_ID}`, authorized_events: ["PAYMENT_SUCCEEDED"] as const };
const { data } = await client.webhooks.create({ ...hook, authorized_events: [...hook.authorized_events] });
const ledger = await openLedger(`sqlite:${join(folder, "ledger.db")}`);
const companion = await createWooCommerceCompanion(
  {
    publicUrl: url,
    database: "given",
    keys: ["a key of a bench that signs links, never of a host"],
    service: { baseUrl: sandbox.baseUrl },
    stores: [
      {
        id: STORE_ID,
        url: fake.url,
        consumerKey: fake.consumerKey,
        consumerSecret: fake.consumerSecret,
        linkSecret: LINK_SECRET,
        apiKey,
        webhookSecrets: [data.secret ?? ""],
        currencies: ["XOF"],
        settleBy,
      },
    ],
  },
  { ledger },
);
const arrivals: number[] = [];
server.on("request", (request, response) => {
  if (request.url?.startsWith("/hooks/service/")) arrivals.push(Date.now());
  companion.listener(request, response);
});
companion.start();
fake.faults.setLatency(LATENCY_MS);

const orders = Array.from({ length: ORDERS }, (_, index) => fake.shop.placeOrder({ total: String(1_000 + index) }));
const opened = performance.now();
await Promise.all(orders.map((order) => follow(fake, order)));
console.log(`${ORDERS} pay links followed at once: ${Math.round(performance.now() - opened)} ms`);
await Promise.all(orders.map((order, index) => pay(order, (PAID_OVER_MS / ORDERS) * index)));
await settled();
report();
await companion.close();
await ledger.close();
await fake.close();
await sandbox.close();
server.closeAllConnections();
server.close();
await rm(folder, { recursive: true, force: true });

async function follow(shop: FakeWooCommerce, { id }: ShopOrder): Promise<void> {
  const answer = await fetch(shop.payLink(id), { redirect: "manual" });
  if (answer.status !== 303) throw new Error(`A pay link was answered ${answer.status}.`);
}

async function pay({ id }: ShopOrder, afterMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const [payment] = await ledger.siblings({ storeId: STORE_ID, orderId: String(id) });
  await sandbox.control.paySession(payment?.session?.id ?? "", { method: "card", outcome: "completed" });
}

async function settled(): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while ((await ledger.countPayments()).recorded < ORDERS && Date.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The k-th order that was paid was paid for one of the first k webhooks at the latest. */
function report(): void {
  const paidAt = fake.shop.effects.map(({ at }) => at).sort((left, right) => left - right);
  const came = arrivals.sort((left, right) => left - right);
  const waits = paidAt.map((at, index) => at - (came[index] ?? at)).sort((left, right) => left - right);
  const at = (share: number) => waits[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? Number.NaN;
  const wrong = orders.filter(
    ({ id }) => fake.shop.stockTaken(id) !== 1 || fake.shop.order(id)?.status !== "processing",
  );
  console.log(`settled by ${settleBy}: ${paidAt.length} paid, ${wrong.length} wrong`);
  console.log(
    `from webhook to paid: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (target: p95 ${TARGET_MS} ms)`,
  );
  const isSlow = PAID_OVER_MS > 0 && !(at(0.95) <= TARGET_MS);
  if (wrong.length > 0 || paidAt.length !== ORDERS || isSlow) process.exitCode = 1;
}
