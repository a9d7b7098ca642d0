// npm run bench -- neighbours [shops] [payments] [payments a second]: the time from the webhook until the order is paid, for shops that
// connected themselves to one server: first while all shops are well, then while a tenth of them is down, slow, refuses every call or floods
// the server, and has payments that are paid too. Both in one run, on SQLite. Service and shops run in another process.
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLedger } from "@tillkit/ledger";
import { createWooCommerceServer } from "@tillkit/woocommerce";
import { bundleProgram } from "../../../../test/programs/bundle-program.ts";
import { type BenchShop, connectShop } from "./connect-shops.ts";
import type { NoisyAnswer, NoisyRequest, ShopPayment } from "./noisy-shops.ts";

const [count = 1_000, paymentCount = 900, perSecond = 10] = process.argv.slice(2).map(Number);
const KEY = "a key of the bench that signs links, never of a real host";
const GIVE_UP_MS = 180_000;
const LINKS_AT_ONCE = 10;

const folder = await mkdtemp(join(tmpdir(), "tillkit-neighbours-"));
const program = await bundleProgram(new URL("./noisy-shops.ts", import.meta.url));
const child = fork(program.file, [String(count)], { execArgv: [] });
const next = <Message>() =>
  new Promise<Message>((resolve) => child.once("message", (sent) => resolve(sent as Message)));
const { serviceUrl, apiKey, urls } = await next<{ serviceUrl: string; apiKey: string; urls: readonly string[] }>();

const http = createServer();
await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
const shops = urls.map((address, number) => ({
  ...{ storeId: `shop-${number}`, address, apiKey },
  linkSecret: `the link secret of shop ${number}, which is long enough`,
}));
const unsigned: readonly BenchShop[] = shops.map((shop) => ({ ...shop, webhookSecret: "" }));
const { webhookSecret } = await ask({ kind: "connect", checkoutServerUrl: url, shops: unsigned });
const ledger = await openLedger(`sqlite:${join(folder, "ledger.db")}`, { secretKeys: [KEY] });
for (const shop of shops) await connectShop(ledger, { ...shop, webhookSecret }, serviceUrl);
const server = await createWooCommerceServer(
  {
    publicUrl: url,
    database: "given",
    keys: [KEY],
    service: { baseUrl: serviceUrl },
    operators: { tokens: ["the token of the operators of the bench, long enough"] },
    stores: "self-service",
  },
  { ledger, log: { info() {}, warn() {}, error() {} } },
);
http.on("request", server.listener);
server.start();

const numbers = shops.map((_, number) => number);
const well = numbers.filter((number) => number % 10 !== 0);
const noisy = numbers.filter((number) => number % 10 === 0);
const asked = (of: readonly number[]) => Array.from({ length: paymentCount }, (_, index) => of[index % of.length] ?? 0);
await measure("all shops are well", await start(asked(well)));
const stuck = await start(noisy);
const measured = await start(asked(well));
await ask({ kind: "misbehave", shops: noisy });
await ask({ kind: "pay", payments: stuck, perSecond: 1_000 });
await measure(`${noisy.length} of ${count} shops are down, slow, refusing or flooding`, measured);
const [storesOfStuck, memory] = [await ledger.countPayments(), process.memoryUsage.rss() / 1e6];
console.log(
  `payments in the ledger: ${JSON.stringify(storesOfStuck)}; memory with everything in it ${memory.toFixed(0)} MB`,
);

child.disconnect();
await server.close();
await ledger.close();
http.closeAllConnections();
http.close();
await Promise.all([rm(folder, { recursive: true, force: true }), program.remove()]);

async function ask<Kind extends NoisyRequest["kind"]>(
  request: Extract<NoisyRequest, { kind: Kind }>,
): Promise<NoisyAnswer[Kind]> {
  const answer = next<NoisyAnswer[Kind]>();
  child.send(request);
  return await answer;
}

/** Opens a checkout of one new order in each of these shops. */
async function start(of: readonly number[]): Promise<readonly ShopPayment[]> {
  const placed = await ask({ kind: "place", shops: of });
  const payments: ShopPayment[] = [];
  for (let first = 0; first < placed.length; first += LINKS_AT_ONCE) {
    const some = placed.slice(first, first + LINKS_AT_ONCE);
    payments.push(...(await Promise.all(some.map(follow))));
  }
  return payments;
}

async function follow({ shop, orderId, payLink }: NoisyAnswer["place"][number]): Promise<ShopPayment> {
  const answer = await fetch(payLink, { redirect: "manual" });
  if (answer.status !== 303) throw new Error(`A pay link was answered ${answer.status}.`);
  const [payment] = await ledger.paymentsOfOrder({ storeId: `shop-${shop}`, orderId: String(orderId) });
  return { shop, orderId, sessionId: payment?.session?.id ?? "" };
}

async function measure(what: string, payments: readonly ShopPayment[]): Promise<void> {
  const before = process.cpuUsage();
  await ask({ kind: "pay", payments, perSecond });
  const giveUpAt = Date.now() + GIVE_UP_MS;
  let waits: NoisyAnswer["waits"] = [];
  do {
    await new Promise((resolve) => setTimeout(resolve, 500));
    waits = await ask({ kind: "waits", payments });
  } while (waits.includes(null) && Date.now() < giveUpAt);
  const { user, system } = process.cpuUsage(before);
  const paid = waits.filter((wait) => wait !== null).sort((left, right) => left - right);
  const within = (share: number) => `${paid[Math.ceil(paid.length * share) - 1] ?? Number.NaN} ms`;
  const times = `half within ${within(0.5)}, 95 of 100 within ${within(0.95)}, 99 within ${within(0.99)}, all within ${within(1)}`;
  const cpu = `${((user + system) / 1_000 / payments.length).toFixed(1)} ms of a core each`;
  console.log(`${what}: ${paid.length} of ${payments.length} paid, ${times}; ${cpu}`);
  if (paid.length < payments.length) process.exitCode = 1;
}
