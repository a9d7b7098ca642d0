import { writeFileSync } from "node:fs";
import { signWebhook } from "@tillkit/client/webhooks";
import {
  acceptReview,
  CheckoutError,
  confirmPayment,
  createEngine,
  decideDispute,
  findingKey,
  nameTransaction,
  receiveWebhook,
  refundPayment,
  refundReview,
  runDue,
  silentLog,
  startCheckout,
} from "@tillkit/core";
import { createStoredTenants } from "@tillkit/core/hosts";
import { openLedger } from "@tillkit/ledger";
import { createManualClock, createSeededRandom } from "@tillkit/testkit";
import { createFixtureService, parseRequest, transactionIdOf } from "./fixture-service.ts";
import { applyPendingWrite, createFixtureStore } from "./fixture-store.ts";
import { writeTasks } from "./write-tasks.mjs";

// Written for the commit that `make-fixture.ts` names, and run in a checkout of it:
// node --import tsx --conditions=@tillkit/source test/prove/upgrade/write-ledger.mjs <URL of an empty database> <file.json>
// Fills a ledger and stops in the middle of its work, so that a later version can finish the work. <file.json> receives what
// the service and the stores know at that moment. The title of an order names the state in which this program leaves it.
const [url = "", knownFile = ""] = process.argv.slice(2);
const MINUTE = 60_000;
const clock = createManualClock(Date.UTC(2026, 2, 1, 10));
// How often a job is retried depends on the order in which a database answers. Ids do not.
const random = { ...createSeededRandom(1), uuid: createSeededRandom(2).uuid };
const fixture = {
  now: 0,
  secret: "whsec_of_an_older_version",
  referenceKey: "reference key of an older version",
  secretKey: "the key that encrypts the secrets of an older version",
  sessions: [],
  refunds: [],
  orders: [],
  tasks: [],
};
const serviceFaults = new Map();
const storeFaults = new Map();
const ledger = await openLedger(url, { secretKeys: [fixture.secretKey] });
const tenants = createStoredTenants({ secrets: ledger.secrets, clock });
const ofFixture = createFixtureService(fixture, clock, serviceFaults);
/** The service refuses marks in refunds of these orders. */
const unmarked = new Set();
const service = { ...ofFixture, refund: refuseMarks };
const engine = engineOf("first process");

await tenants.put({
  id: "key",
  storeIds: ["hats", "caps"],
  apiKey: "svc_sk_test_of_an_older_version",
  baseUrl: "https://service.example",
  endpointId: "main",
  webhookSecrets: [fixture.secret],
});
await firstHours();
await lastMinutes();
fixture.now = clock.now();
for (const order of fixture.orders) applyPendingWrite(order, clock);
writeFileSync(knownFile, `${JSON.stringify(fixture, null, 2)}\n`);
await ledger.close();

async function firstHours() {
  await startOrder("hats", "expired");
  await clock.advance(70 * MINUTE);
  for (const order of ["superseded", "duplicate", "duplicate refunding"]) await startOrder("hats", order);
  await runJobs();
  for (const order of ["recorded", "refund asked", "refund unknown", "refund pending"]) await sellOrder("hats", order);
  for (const order of ["refund without mark unknown", "refund without mark asked"]) await sellOrder("hats", order);
  for (const order of ["review", "review refunding", "review accepted"]) {
    await startOrder("hats", order);
    payLastSession(order, 4_999);
    await deliverWebhook(order);
    await runJobs();
  }
  await disputeOrders();
  await nameOne();
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

async function disputeOrders() {
  for (const order of ["dispute open", "dispute undecided", "dispute decided"]) {
    await sellOrder("hats", order);
    await deliverDispute(order, "DISPUTE_CREATED", "pending");
  }
  await clock.advance(MINUTE);
  // Neither event says who won.
  for (const order of ["dispute undecided", "dispute decided"]) await deliverDispute(order, "DISPUTE_CLOSED", "closed");
  await decideDispute(engine, {
    paymentId: paymentIdOf("dispute decided"),
    disputeId: "dispute-decided",
    outcome: "lost",
    by: "owner",
  });
}

async function nameOne() {
  for (const order of ["transaction named", "transaction not named"]) {
    await startOrder("hats", order);
    payLastSession(order);
    sessionsOf(order)[0].isUnnamed = true;
    await deliverWebhook(order);
    await runJobs();
  }
  const [session] = sessionsOf("transaction named");
  await nameTransaction(engine, { paymentId: session.key, transactionId: transactionIdOf(session), by: "owner Ama" });
}

async function lastMinutes() {
  await ledger.records.put("hats", "shop", "main", { domain: "hats.example", opened: 1 }, "new");
  await acceptOne();
  await startOrder("hats", "review of an edited order");
  fixture.orders.at(-1).total = 5_500;
  payLastSession("review of an edited order");
  await deliverWebhook("review of an edited order");
  await runJobs();
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
  void confirmPayment(engineOf("second process"), paymentIdOf("process stops during write"), { actor: "timer" });
  await waitForPendingCalls();
  // The third process stops after it has leased two jobs.
  await ledger.claim({ worker: "third process", now: clock.now(), leaseMs: 90_000, limit: 2 });
  fixture.tasks.push(...(await writeTasks(ledger.records, clock)));
}

async function acceptOne() {
  const paymentId = paymentIdOf("review accepted");
  const { finding } = await ledger.find({ id: paymentId });
  await acceptReview(engine, { paymentId, by: "owner", seen: findingKey(finding) });
}

async function startRefunds() {
  const refundOf = (order, minor) =>
    refundPayment(engine, {
      paymentId: paymentIdOf(order),
      key: `click on ${order}`,
      amount: { minor, currency: "XOF" },
      origin: "store",
    });
  await refundOf("recorded", 1_000);
  serviceFaults.set("refund unknown", "lost").set("refund pending", "pending").set("refund asked", "hangs");
  await refundOf("refund unknown", 5_000);
  await refundOf("refund pending", 2_000);
  void refundOf("refund asked", 5_000);
  unmarked.add("refund without mark unknown").add("refund without mark asked");
  serviceFaults.set("refund without mark unknown", "lost").set("refund without mark asked", "hangs");
  await refundOf("refund without mark unknown", 3_000);
  void refundOf("refund without mark asked", 5_000);
  serviceFaults.set("review refunding", "hangs").set("duplicate refunding", "lost");
  void refundReview(engine, { paymentId: paymentIdOf("review refunding"), by: "owner" });
  const duplicate = await ledger.paymentsOfOrder({ storeId: "hats", orderId: orderIdOf("duplicate refunding") });
  const second = duplicate.find(({ state }) => state === "duplicate");
  await refundReview(engine, { paymentId: second.id, by: "owner" });
  await waitForPendingCalls();
}

async function refuseMarks(input) {
  const { transaction_id: transactionId, reason } = JSON.parse(input.request);
  const session = fixture.sessions.find((known) => transactionIdOf(known) === transactionId);
  if (reason.startsWith("TK") && unmarked.has(parseRequest(session.request).title))
    throw new CheckoutError("refund_reason_refused", "The service takes no such reason.");
  return await ofFixture.refund(input);
}

/** Starts and pays an order, delivers its webhook and runs the jobs. */
async function sellOrder(storeId, title) {
  await startOrder(storeId, title);
  payLastSession(title);
  await deliverWebhook(title);
  await runJobs();
}

async function startOrder(storeId, title) {
  const known = fixture.orders.some((order) => order.title === title);
  if (!known) {
    const orderId = String(1001 + fixture.orders.length);
    const unpaid = { paidBy: null, effects: [], holds: [], notes: [], refunds: [], pendingWrite: null };
    fixture.orders.push({ storeId, orderId, title, total: 5_000, ...unpaid });
  }
  const order = await createFixtureStore(fixture, storeId, clock).findOrder({ storeId, orderId: orderIdOf(title) }, "");
  await startCheckout(engine, order);
}

function payLastSession(title, amount = null) {
  const session = sessionsOf(title).at(-1);
  session.completedAt = clock.now();
  session.paidAmount = amount;
}

async function deliverWebhook(title, session = sessionsOf(title).at(-1)) {
  const named = session.isUnnamed ? {} : { transaction_id: transactionIdOf(session) };
  const data = { checkout_session_id: session.id, ...named };
  await receive(new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: "PAYMENT_SUCCEEDED", data })));
}

async function deliverDispute(title, event, status) {
  const [session] = sessionsOf(title);
  const at = new Date(clock.now()).toISOString();
  const money = { amount: 5_000, currency_code: "XOF" };
  const dispute = { dispute_id: title.replaceAll(" ", "-"), transaction_id: transactionIdOf(session), ...money };
  const data = { ...dispute, status, reason: "fraudulent", created_at: at, updated_at: at };
  await receive(new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event, data })));
  await runJobs();
}

async function receive(bytes) {
  await receiveWebhook(engine, { endpointId: "main", bytes, signature: signWebhook(bytes, fixture.secret) });
}

async function runJobs() {
  for (let round = 0; round < 50; round += 1) {
    const { done, retried, dead } = await runDue(engine);
    if (done + retried + dead === 0) return;
  }
}

/** Waits until the calls that nobody awaits have reached the ledger, which takes real time. */
async function waitForPendingCalls() {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

function sessionsOf(title) {
  return fixture.sessions.filter(({ request }) => parseRequest(request).title === title);
}

function paymentIdOf(title) {
  return sessionsOf(title)[0].key;
}

function orderIdOf(title) {
  return fixture.orders.find((order) => order.title === title)?.orderId ?? "";
}

function engineOf(worker) {
  return createEngine({
    ledger,
    clock,
    random,
    worker,
    log: silentLog,
    referenceKeys: [fixture.referenceKey],
    returnUrls: ({ id }) => ({ success: `https://shop.example/return/${id}`, cancel: "https://shop.example/cancel" }),
    store: async (storeId) => createFixtureStore(fixture, storeId, clock, storeFaults),
    tenants: { ...tenants, service: async () => service },
  });
}
