import { signWebhook } from "@tillkit/client/webhooks";
import {
  acceptReview,
  createEngine,
  decideDispute,
  type Engine,
  findingKey,
  type Ledger,
  nameTransaction,
  type Random,
  receiveWebhook,
  runDue,
  silentLog,
  startCheckout,
} from "@tillkit/core";
import { endDeadJob, retryDeadJob } from "@tillkit/core/back-office";
import { createStoredTenants } from "@tillkit/core/hosts";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import {
  createFixtureService,
  type FixtureSession,
  type FixtureTask,
  parseRequest,
  transactionIdOf,
  type UpgradeFixture,
} from "./fixture-service.ts";
import { createFixtureStore } from "./fixture-store.ts";
import { hostJobsOf, hostKinds, repeatWebhooks } from "./fixture-tasks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long no server ran during the upgrade. */
const DOWNTIMES_MS = [0, 30 * SECOND, 5 * MINUTE, 50 * MINUTE, 30 * HOUR];

type UpgradeCase = { readonly fixture: UpgradeFixture; readonly ledger: Ledger; readonly random: Random };
type ScheduledEvent = { readonly at: number; readonly run: () => Promise<unknown> };
type RunningCase = UpgradeCase & { readonly clock: ManualClock; readonly engines: readonly [Engine, Engine] };

/** Two workers of the current version continue with the ledger of an older version. Returns when they started and stopped. */
export async function finishWork({
  fixture,
  ledger,
  random,
}: UpgradeCase): Promise<{ startedAt: number; now: number }> {
  const downMs = DOWNTIMES_MS[Math.floor(random.fraction() * DOWNTIMES_MS.length)] ?? 0;
  const clock = createManualClock(fixture.now + downMs);
  // Half of the writes that were under way never reached the shop.
  for (const order of fixture.orders) {
    if (random.fraction() < 0.5) order.pendingWrite = null;
  }
  const engineOf = (worker: string) => createCurrentEngine({ fixture, ledger, random, clock }, worker);
  const running: RunningCase = { fixture, ledger, random, clock, engines: [engineOf("today 1"), engineOf("today 2")] };
  const startedAt = clock.now();
  await runUntil(running, eventsOf(running), startedAt + 80 * HOUR);
  return { startedAt, now: clock.now() };
}

/** Runs due jobs and the scheduled events until `end`. */
async function runUntil(
  { clock, ledger, engines }: RunningCase,
  events: readonly ScheduledEvent[],
  end: number,
): Promise<void> {
  const upcoming = [...events].sort((left, right) => left.at - right.at);
  while (clock.now() < end) {
    const rounds = await Promise.all(engines.map((engine) => runDue(engine)));
    if (rounds.some(({ done, retried, dead }) => done + retried + dead > 0)) continue;
    const wakeAt = Math.min(upcoming[0]?.at ?? end, (await ledger.nextDueAt(hostKinds)) ?? end, end);
    await clock.advance(Math.max(0, wakeAt - clock.now()));
    while (upcoming[0] !== undefined && upcoming[0].at <= clock.now()) await upcoming.shift()?.run();
  }
}

function eventsOf(running: RunningCase): readonly ScheduledEvent[] {
  const { fixture, random, clock } = running;
  const timeWithin = (within: number) => clock.now() + Math.floor(random.fraction() * within);
  const events: ScheduledEvent[] = [
    { at: clock.now() + 10 * MINUTE, run: async () => completeRefunds(fixture) },
    { at: clock.now() + HOUR, run: () => answerDeadJobs(running) },
    { at: timeWithin(20 * HOUR), run: () => repeatWebhooks(running) },
  ];
  for (const order of fixture.orders) {
    if (random.fraction() < 0.6)
      events.push({ at: timeWithin(20 * MINUTE), run: () => pressPayButton(running, order.title) });
    if (random.fraction() < 0.8)
      events.push({ at: timeWithin(90 * MINUTE), run: () => payOpenPage(running, order.title) });
  }
  for (const decide of [acceptHeldPayment, nameOpenTransaction, decideOpenDispute])
    if (random.fraction() < 0.5) events.push({ at: timeWithin(2 * HOUR), run: () => decide(running) });
  return events;
}

async function acceptHeldPayment({ ledger, random, engines }: RunningCase): Promise<void> {
  const held = (await ledger.listPayments({ states: ["review"], limit: 9 })).rows;
  const payment = held[Math.floor(random.fraction() * held.length)];
  if (!payment?.finding) return;
  await acceptReview(engines[0], { paymentId: payment.id, by: "owner", findingKey: findingKey(payment.finding) });
}

async function nameOpenTransaction({ fixture, engines }: RunningCase): Promise<void> {
  const session = fixture.sessions.find(({ request }) => parseRequest(request).title === "transaction not named");
  if (session === undefined) throw new Error("The service has forgotten a session.");
  const [transactionId, paymentId] = [transactionIdOf(session), session.key];
  await nameTransaction(engines[0], { paymentId, transactionId, by: "owner" });
}

async function decideOpenDispute({ ledger, random, engines }: RunningCase): Promise<void> {
  const { rows } = await ledger.listDisputes({ limit: 9 });
  const open = rows.find(({ status, outcome }) => status === "closed" && outcome === null);
  if (open === undefined) throw new Error("The ledger has forgotten a dispute.");
  const outcome = random.fraction() < 0.5 ? "won" : "lost";
  await decideDispute(engines[0], { paymentId: open.paymentId, disputeId: open.id, outcome, by: "owner" });
}

async function pressPayButton({ fixture, clock, engines }: RunningCase, title: string): Promise<void> {
  const fixtureOrder = fixture.orders.find((order) => order.title === title);
  if (fixtureOrder === undefined) return;
  const { storeId, orderId } = fixtureOrder;
  const order = await createFixtureStore(fixture, storeId, clock).findOrder({ storeId, orderId }, "");
  // An order with a refund in progress cannot be paid; the shopper sees an error.
  if (order !== null) await startCheckout(engines[1], order).catch(() => {});
}

/** Pays one of the payment pages that the shopper of this order has open, possibly after it expired. */
async function payOpenPage(running: RunningCase, title: string): Promise<void> {
  const { fixture, ledger, clock, random } = running;
  const open = fixture.sessions.filter(
    ({ request, completedAt }) => completedAt === null && parseRequest(request).title === title,
  );
  const session = open[Math.floor(random.fraction() * open.length)];
  // The shopper never saw a page that the ledger does not know, because the answer with its URL was lost.
  if (session === undefined || (await ledger.find({ sessionId: session.id })) === null) return;
  session.completedAt = clock.now();
  for (let copy = Math.floor(random.fraction() * 3); copy > 0; copy -= 1) await deliverWebhook(running, session);
}

async function deliverWebhook({ fixture, random, engines }: RunningCase, session: FixtureSession): Promise<void> {
  const { metadata } = parseRequest(session.request);
  const data = { checkout_session_id: session.id, transaction_id: transactionIdOf(session), metadata };
  const bytes = new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: "PAYMENT_SUCCEEDED", data }));
  await receiveWebhook(engines[1], { endpointId: "main", bytes, signature: signWebhook(bytes, fixture.secret) });
}

function completeRefunds({ refunds }: UpgradeFixture): void {
  for (const refund of refunds) refund.status = "completed";
}

async function openTasks({ fixture, ledger }: RunningCase): Promise<readonly FixtureTask[]> {
  const isOpen = async ({ storeId, uniqueKey }: FixtureTask) => !(await ledger.jobByKey(storeId, uniqueKey))?.isDone;
  const open = await Promise.all(fixture.tasks.map(isOpen));
  return fixture.tasks.filter((_task, index) => open[index]);
}

async function answerDeadJobs(running: RunningCase): Promise<void> {
  for (const { id } of (await running.ledger.listJobs({ dead: true, limit: 99 })).rows) {
    // The owner records the refund of such a job in the shop by hand.
    if ((await retryDeadJob(running, id)) !== "by_hand") continue;
    const open = await openTasks(running);
    await endDeadJob(running, id);
    const stillOpen = await openTasks(running);
    for (const task of open) if (!stillOpen.includes(task)) task.runs += 1;
  }
}

function createCurrentEngine(
  { fixture, ledger, random, clock }: UpgradeCase & { clock: ManualClock },
  worker: string,
): Engine {
  const service = createFixtureService(fixture, clock);
  return createEngine({
    ledger,
    clock,
    random,
    worker,
    log: silentLog,
    referenceKeys: ["a newer reference key", fixture.referenceKey],
    returnUrls: ({ id }) => ({ success: `https://new.example/return/${id}`, cancel: "https://new.example/cancel" }),
    hostJobs: hostJobsOf(fixture, random),
    store: async (storeId) => createFixtureStore(fixture, storeId, clock),
    tenants: { ...createStoredTenants({ credentials: ledger.credentials, clock }), service: async () => service },
  });
}
