import { writeFileSync } from "node:fs";
import { signWebhook } from "@tillkit/client/webhooks";
import {
  confirmPayment,
  createEngine,
  type Engine,
  receiveWebhook,
  refundPayment,
  refundReview,
  runDue,
  silentLog,
  startCheckout,
} from "@tillkit/core";
import { openLedger } from "@tillkit/ledger";
import { createManualClock, createSeededRandom } from "@tillkit/testkit";
import { createKeptShop, findOrder, type ShopTrouble } from "./kept-shop.ts";
import {
  bodyOf,
  createKeptService,
  type KeptSession,
  type KeptWorld,
  type Trouble,
  transactionOf,
} from "./kept-world.ts";

// node --import tsx --conditions=@tillkit/source test/prove/upgrade/write-ledger.ts <address of an empty database> <world.json>
// Fills a ledger and stops in the middle of its work, so that a later version can finish the work. The second file receives what
// the service and the stores know at that moment. `make-fixture.ts` runs this program on both engines.
const [url = "", worldFile = ""] = process.argv.slice(2);
const MINUTE = 60_000;
const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
const random = createSeededRandom(1);
const world: KeptWorld = {
  now: 0,
  secret: "whsec_of_an_older_version",
  referenceKey: "reference key of an older version",
  sessions: [],
  refunds: [],
  orders: [],
};
const serviceTroubles = new Map<string, Trouble>();
const shopTroubles = new Map<string, ShopTrouble>();
const ledger = await openLedger(url);
const service = createKeptService(world, clock, serviceTroubles);
const engine = engineOf("first process");

await firstHours();
await lastMinutes();
world.now = clock.now();
for (const { storeId, orderId } of world.orders) findOrder(world, storeId, orderId, clock);
writeFileSync(worldFile, `${JSON.stringify(world, null, 2)}\n`);
await ledger.close();

async function firstHours(): Promise<void> {
  await start("hats", "expired");
  await clock.advance(70 * MINUTE);
  for (const order of ["superseded", "duplicate", "duplicate refunding"]) await start("hats", order);
  await work();
  for (const order of ["recorded", "refund asked", "refund unknown", "refund pending"]) await sell("hats", order);
  await start("hats", "review");
  await start("hats", "review refunding");
  for (const order of ["review", "review refunding"]) {
    pay(order, 4_999);
    await hear(order);
    await work();
  }
  await clock.advance(52 * MINUTE);
  // Sessions with little life left are replaced.
  for (const order of ["superseded", "duplicate", "duplicate refunding"]) await start("hats", order);
  for (const order of ["duplicate", "duplicate refunding"]) {
    for (const session of sessionsOf(order)) {
      session.completedAt = clock.now();
      await hear(order, session);
      await work();
    }
  }
}

async function lastMinutes(): Promise<void> {
  await ledger.records.put("hats", "shop", "main", { domain: "hats.example", opened: 1 }, "new");
  for (const order of ["open", "paid without a webhook"]) await start("hats", order);
  pay("paid without a webhook");
  serviceTroubles.set("intent", "down").set("intent whose session is open", "lost");
  for (const order of ["intent", "intent whose session is open"]) await start("hats", order).catch(() => {});

  shopTroubles.set("shop is down", "unavailable").set("shop is disconnected", "reconnect");
  for (const order of ["shop is down", "shop is disconnected"]) await sell("hats", order);
  // The next attempt gives the first a job that is retried, and the second a dead-letter job.
  await clock.advance(3_000);
  await work();
  shopTroubles.set("write under way", "unknown");
  await sell("caps", "write under way");
  await refundsInFlight();

  for (const order of ["heard, not processed", "late webhook"]) {
    await start("caps", order);
    pay(order);
    await hear(order);
  }
  for (const text of [
    '{"event":"PAYMENT_SUCCEEDED","data":{"checkout_session_id":"of another channel"}}',
    "no event",
  ]) {
    await receive(new TextEncoder().encode(text));
  }
  // This one dies while the shop works on its write: lease of the order and of the job are its own.
  shopTroubles.set("dies in the write", "never");
  await start("caps", "dies in the write");
  pay("dies in the write");
  void confirmPayment(engineOf("second process"), sessionsOf("dies in the write")[0]?.key ?? "", { actor: "timer" });
  await settle();
  // And this one with two jobs in its hands.
  await ledger.claim({ worker: "third process", now: clock.now(), leaseMs: 90_000, limit: 2 });
}

async function refundsInFlight(): Promise<void> {
  const back = (order: string, minor: number) => {
    const session = sessionsOf(order)[0];
    if (session === undefined) throw new Error(`${order} has no session.`);
    return {
      paymentId: session.key,
      key: `click on ${order}`,
      amount: { minor, currency: "XOF" },
      origin: "store",
    } as const;
  };
  await refundPayment(engine, back("recorded", 1_000));
  serviceTroubles.set("refund unknown", "lost").set("refund pending", "pending").set("refund asked", "never");
  await refundPayment(engine, back("refund unknown", 5_000));
  await refundPayment(engine, back("refund pending", 2_000));
  void refundPayment(engine, back("refund asked", 5_000));
  serviceTroubles.set("review refunding", "never").set("duplicate refunding", "lost");
  void refundReview(engine, { paymentId: sessionsOf("review refunding")[0]?.key ?? "", by: "owner" });
  const duplicate = await ledger.siblings({ storeId: "hats", orderId: orderIdOf("duplicate refunding") });
  const second = duplicate.find(({ state }) => state === "duplicate");
  await refundReview(engine, { paymentId: second?.id ?? "", by: "owner" });
  await settle();
}

/** Pays with its webhook, and tells the shop. */
async function sell(storeId: string, title: string): Promise<void> {
  await start(storeId, title);
  pay(title);
  await hear(title);
  await work();
}

async function start(storeId: string, title: string): Promise<void> {
  const known = world.orders.some((order) => order.title === title);
  if (!known) {
    const orderId = String(1001 + world.orders.length);
    const kept = { paidBy: null, effects: [], holds: [], notes: [], refunds: [], late: null };
    world.orders.push({ storeId, orderId, title, total: 5_000, ...kept });
  }
  const order = await createKeptShop(world, storeId, clock).findOrder({ storeId, orderId: orderIdOf(title) }, "");
  if (order !== null) await startCheckout(engine, order);
}

function pay(title: string, amount: number | null = null): void {
  const session = sessionsOf(title).at(-1);
  if (session === undefined) throw new Error(`${title} has no session.`);
  session.completedAt = clock.now();
  session.paidAmount = amount;
}

async function hear(title: string, session = sessionsOf(title).at(-1)): Promise<void> {
  if (session === undefined) throw new Error(`${title} has no session.`);
  const data = { checkout_session_id: session.id, transaction_id: transactionOf(session) };
  await receive(new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: "PAYMENT_SUCCEEDED", data })));
}

async function receive(bytes: Uint8Array): Promise<void> {
  await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, world.secret) });
}

async function work(): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const { done, retried, dead } = await runDue(engine);
    if (done + retried + dead === 0) return;
  }
}

/** Until what nobody waits for has come as far as it ever will: a database takes real time. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

function sessionsOf(title: string): readonly KeptSession[] {
  return world.sessions.filter(({ request }) => bodyOf(request).title === title);
}

function orderIdOf(title: string): string {
  return world.orders.find((order) => order.title === title)?.orderId ?? "";
}

function engineOf(worker: string): Engine {
  return createEngine({
    ledger,
    clock,
    random,
    worker,
    log: silentLog,
    referenceKeys: [world.referenceKey],
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    store: async (storeId) => createKeptShop(world, storeId, clock, shopTroubles),
    tenants: {
      credentialFor: async () => ({ id: "key", account: null }),
      service: async () => service,
      endpoint: async () => ({ secrets: [world.secret], credentialIds: ["key"], environment: "test" }),
    },
  });
}
