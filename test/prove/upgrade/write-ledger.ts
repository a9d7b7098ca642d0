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
import {
  createFixtureService,
  type FixtureSession,
  parseRequest,
  type ServiceFault,
  transactionIdOf,
  type UpgradeFixture,
} from "./fixture-service.ts";
import { applyPendingWrite, createFixtureStore, type StoreFault } from "./fixture-store.ts";

// node --import tsx --conditions=@tillkit/source test/prove/upgrade/write-ledger.ts <URL of an empty database> <file.json>
// Fills a ledger and stops in the middle of its work, so that a later version can finish the work. <file.json> receives what
// the service and the stores know at that moment. `make-fixture.ts` runs this program once on SQLite and once on PostgreSQL.
// The title of an order names the state in which this program leaves its payment or refund.
const [url = "", knownFile = ""] = process.argv.slice(2);
const MINUTE = 60_000;
const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
const random = createSeededRandom(1);
const fixture: UpgradeFixture = {
  now: 0,
  secret: "whsec_of_an_older_version",
  referenceKey: "reference key of an older version",
  sessions: [],
  refunds: [],
  orders: [],
};
const serviceFaults = new Map<string, ServiceFault>();
const storeFaults = new Map<string, StoreFault>();
const ledger = await openLedger(url);
const service = createFixtureService(fixture, clock, serviceFaults);
const engine = engineOf("first process");

await firstHours();
await lastMinutes();
fixture.now = clock.now();
for (const order of fixture.orders) applyPendingWrite(order, clock);
writeFileSync(knownFile, `${JSON.stringify(fixture, null, 2)}\n`);
await ledger.close();

async function firstHours(): Promise<void> {
  await startOrder("hats", "expired");
  await clock.advance(70 * MINUTE);
  for (const order of ["superseded", "duplicate", "duplicate refunding"]) await startOrder("hats", order);
  await runJobs();
  for (const order of ["recorded", "refund asked", "refund unknown", "refund pending"]) await sellOrder("hats", order);
  await startOrder("hats", "review");
  await startOrder("hats", "review refunding");
  for (const order of ["review", "review refunding"]) {
    payLastSession(order, 4_999);
    await deliverWebhook(order);
    await runJobs();
  }
  await clock.advance(52 * MINUTE);
  // Sessions that expire soon are replaced.
  for (const order of ["superseded", "duplicate", "duplicate refunding"]) await startOrder("hats", order);
  for (const order of ["duplicate", "duplicate refunding"]) {
    for (const session of sessionsOf(order)) {
      session.completedAt = clock.now();
      await deliverWebhook(order, session);
      await runJobs();
    }
  }
}

async function lastMinutes(): Promise<void> {
  await ledger.records.put("hats", "shop", "main", { domain: "hats.example", opened: 1 }, "new");
  for (const order of ["open", "paid without a webhook"]) await startOrder("hats", order);
  payLastSession("paid without a webhook");
  // Both payments stay in the state `intent`, because the session's creation is not answered. Only the second session exists at the
  // service.
  serviceFaults.set("intent", "down").set("intent whose session is open", "lost");
  for (const order of ["intent", "intent whose session is open"]) await startOrder("hats", order).catch(() => {});

  storeFaults.set("shop is down", "unavailable").set("shop is disconnected", "reconnect");
  for (const order of ["shop is down", "shop is disconnected"]) await sellOrder("hats", order);
  // The next attempt leaves the first of these orders with a retried job and the second with a dead-letter job.
  await clock.advance(3_000);
  await runJobs();
  storeFaults.set("write under way", "unknown");
  await sellOrder("caps", "write under way");
  await startRefunds();

  for (const order of ["received, not processed", "late webhook"]) {
    await startOrder("caps", order);
    payLastSession(order);
    await deliverWebhook(order);
  }
  for (const text of [
    '{"event":"PAYMENT_SUCCEEDED","data":{"checkout_session_id":"session of another program"}}',
    "no event",
  ]) {
    await receive(new TextEncoder().encode(text));
  }
  // The second process stops during its store write and leaves the order locked.
  storeFaults.set("process stops during write", "hangs");
  await startOrder("caps", "process stops during write");
  payLastSession("process stops during write");
  void confirmPayment(engineOf("second process"), sessionsOf("process stops during write")[0]?.key ?? "", {
    actor: "timer",
  });
  await waitForPendingCalls();
  // The third process stops after it has leased two jobs.
  await ledger.claim({ worker: "third process", now: clock.now(), leaseMs: 90_000, limit: 2 });
}

async function startRefunds(): Promise<void> {
  const refundRequest = (order: string, minor: number) => {
    const session = sessionsOf(order)[0];
    if (session === undefined) throw new Error(`${order} has no session.`);
    return {
      paymentId: session.key,
      key: `click on ${order}`,
      amount: { minor, currency: "XOF" },
      origin: "store",
    } as const;
  };
  await refundPayment(engine, refundRequest("recorded", 1_000));
  serviceFaults.set("refund unknown", "lost").set("refund pending", "pending").set("refund asked", "hangs");
  await refundPayment(engine, refundRequest("refund unknown", 5_000));
  await refundPayment(engine, refundRequest("refund pending", 2_000));
  void refundPayment(engine, refundRequest("refund asked", 5_000));
  serviceFaults.set("review refunding", "hangs").set("duplicate refunding", "lost");
  void refundReview(engine, { paymentId: sessionsOf("review refunding")[0]?.key ?? "", by: "owner" });
  const duplicate = await ledger.paymentsOfOrder({ storeId: "hats", orderId: orderIdOf("duplicate refunding") });
  const second = duplicate.find(({ state }) => state === "duplicate");
  await refundReview(engine, { paymentId: second?.id ?? "", by: "owner" });
  await waitForPendingCalls();
}

/** Starts and pays an order, delivers its webhook and runs the jobs. */
async function sellOrder(storeId: string, title: string): Promise<void> {
  await startOrder(storeId, title);
  payLastSession(title);
  await deliverWebhook(title);
  await runJobs();
}

async function startOrder(storeId: string, title: string): Promise<void> {
  const known = fixture.orders.some((order) => order.title === title);
  if (!known) {
    const orderId = String(1001 + fixture.orders.length);
    const unpaid = { paidBy: null, effects: [], holds: [], notes: [], refunds: [], pendingWrite: null };
    fixture.orders.push({ storeId, orderId, title, total: 5_000, ...unpaid });
  }
  const order = await createFixtureStore(fixture, storeId, clock).findOrder({ storeId, orderId: orderIdOf(title) }, "");
  if (order !== null) await startCheckout(engine, order);
}

function payLastSession(title: string, amount: number | null = null): void {
  const session = sessionsOf(title).at(-1);
  if (session === undefined) throw new Error(`${title} has no session.`);
  session.completedAt = clock.now();
  session.paidAmount = amount;
}

async function deliverWebhook(title: string, session = sessionsOf(title).at(-1)): Promise<void> {
  if (session === undefined) throw new Error(`${title} has no session.`);
  const data = { checkout_session_id: session.id, transaction_id: transactionIdOf(session) };
  await receive(new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: "PAYMENT_SUCCEEDED", data })));
}

async function receive(bytes: Uint8Array): Promise<void> {
  await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, fixture.secret) });
}

async function runJobs(): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const { done, retried, dead } = await runDue(engine);
    if (done + retried + dead === 0) return;
  }
}

/** Waits until the calls that nobody awaits have reached the ledger, which takes real time. */
async function waitForPendingCalls(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

function sessionsOf(title: string): readonly FixtureSession[] {
  return fixture.sessions.filter(({ request }) => parseRequest(request).title === title);
}

function orderIdOf(title: string): string {
  return fixture.orders.find((order) => order.title === title)?.orderId ?? "";
}

function engineOf(worker: string): Engine {
  return createEngine({
    ledger,
    clock,
    random,
    worker,
    log: silentLog,
    referenceKeys: [fixture.referenceKey],
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    store: async (storeId) => createFixtureStore(fixture, storeId, clock, storeFaults),
    tenants: {
      credentialFor: async () => ({ id: "key", account: null }),
      service: async () => service,
      endpoint: async () => ({ secrets: [fixture.secret], credentialIds: ["key"], environment: "test" }),
    },
  });
}
