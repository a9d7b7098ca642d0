import { signWebhook } from "@tillkit/client/webhooks";
import {
  acceptReview,
  createEngine,
  type Engine,
  type Ledger,
  type Random,
  receiveWebhook,
  retryDeadJob,
  runDue,
  silentLog,
  startCheckout,
} from "@tillkit/core";
import { createManualClock, type ManualClock } from "@tillkit/testkit";
import { createKeptShop } from "./kept-shop.ts";
import { bodyOf, createKeptService, type KeptSession, type KeptWorld, transactionOf } from "./kept-world.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long the upgrade took: nobody worked meanwhile. */
const DOWN_MS = [0, 30 * SECOND, 5 * MINUTE, 50 * MINUTE, 30 * HOUR];

type Finish = { readonly world: KeptWorld; readonly ledger: Ledger; readonly random: Random };
type Event = { readonly at: number; readonly happen: () => Promise<unknown> };
type Scene = Finish & { readonly clock: ManualClock; readonly engines: readonly [Engine, Engine] };

/** Two workers of today's version find the ledger of an older one and go on. Answers when they began. */
export async function finishWork({ world, ledger, random }: Finish): Promise<{ calmSince: number; now: number }> {
  const down = DOWN_MS[Math.floor(random.fraction() * DOWN_MS.length)] ?? 0;
  const clock = createManualClock(world.now + down);
  for (const order of world.orders) if (random.fraction() < 0.5) order.late = null;
  const engineOf = (worker: string) => createToday({ world, ledger, random, clock }, worker);
  const scene: Scene = { world, ledger, random, clock, engines: [engineOf("today 1"), engineOf("today 2")] };
  const calmSince = clock.now();
  await liveThrough(scene, eventsOf(scene), calmSince + 80 * HOUR);
  return { calmSince, now: clock.now() };
}

/** Nothing happens but what people do and what is due. */
async function liveThrough({ clock, ledger, engines }: Scene, events: readonly Event[], end: number): Promise<void> {
  const coming = [...events].sort((left, right) => left.at - right.at);
  while (clock.now() < end) {
    const rounds = await Promise.all(engines.map((engine) => runDue(engine)));
    if (rounds.some(({ done, retried, dead }) => done + retried + dead > 0)) continue;
    const wakeAt = Math.min(coming[0]?.at ?? end, (await ledger.nextDueAt()) ?? end, end);
    await clock.advance(Math.max(0, wakeAt - clock.now()));
    while (coming[0] !== undefined && coming[0].at <= clock.now()) await coming.shift()?.happen();
  }
}

function eventsOf(scene: Scene): readonly Event[] {
  const { world, random, clock, engines, ledger } = scene;
  const soon = (within: number) => clock.now() + Math.floor(random.fraction() * within);
  const events: Event[] = [
    { at: clock.now() + 10 * MINUTE, happen: async () => refundsComplete(world) },
    { at: clock.now() + HOUR, happen: () => replayDeadLetters(scene) },
  ];
  for (const order of world.orders) {
    if (random.fraction() < 0.6) events.push({ at: soon(20 * MINUTE), happen: () => pressPay(scene, order.title) });
    if (random.fraction() < 0.8) events.push({ at: soon(90 * MINUTE), happen: () => pay(scene, order.title) });
  }
  events.push({
    at: soon(2 * HOUR),
    happen: async () => {
      const [held] = (await ledger.listPayments({ states: ["review"], limit: 1 })).rows;
      if (held && random.fraction() < 0.5) await acceptReview(engines[0], { paymentId: held.id, by: "owner" });
    },
  });
  return events;
}

async function pressPay({ world, clock, engines }: Scene, title: string): Promise<void> {
  const kept = world.orders.find((order) => order.title === title);
  if (kept === undefined) return;
  const { storeId, orderId } = kept;
  const order = await createKeptShop(world, storeId, clock).findOrder({ storeId, orderId }, "");
  // An order whose money is on its way back cannot be paid; the shopper is told so.
  if (order !== null) await startCheckout(engines[1], order).catch(() => {});
}

/** Any of the pages that this order's shopper has open, in time or late. */
async function pay(scene: Scene, title: string): Promise<void> {
  const { world, ledger, clock, random } = scene;
  const open = world.sessions.filter(
    ({ request, completedAt }) => completedAt === null && bodyOf(request).title === title,
  );
  const session = open[Math.floor(random.fraction() * open.length)];
  // A page that the ledger does not know was never shown to anybody: the answer with its address was lost.
  if (session === undefined || (await ledger.find({ sessionId: session.id })) === null) return;
  session.completedAt = clock.now();
  for (let copy = Math.floor(random.fraction() * 3); copy > 0; copy -= 1) await hear(scene, session);
}

async function hear({ world, random, engines }: Scene, session: KeptSession): Promise<void> {
  const { metadata } = bodyOf(session.request);
  const data = { checkout_session_id: session.id, transaction_id: transactionOf(session), metadata };
  const bytes = new TextEncoder().encode(JSON.stringify({ id: random.uuid(), event: "PAYMENT_SUCCEEDED", data }));
  await receiveWebhook(engines[1], { endpointId: "main", bytes, signature: signWebhook(bytes, world.secret) });
}

function refundsComplete({ refunds }: KeptWorld): void {
  for (const refund of refunds) refund.status = "completed";
}

async function replayDeadLetters({ ledger, engines }: Scene): Promise<void> {
  for (const { id } of (await ledger.listJobs({ dead: true, limit: 99 })).rows) await retryDeadJob(engines[0], id);
}

function createToday({ world, ledger, random, clock }: Finish & { clock: ManualClock }, worker: string): Engine {
  const service = createKeptService(world, clock);
  return createEngine({
    ledger,
    clock,
    random,
    worker,
    log: silentLog,
    referenceKeys: ["a newer reference key", world.referenceKey],
    returnUrls: ({ id }) => ({ success: `https://new.example/return/${id}`, cancel: "https://new.example/cancel" }),
    store: async (storeId) => createKeptShop(world, storeId, clock),
    tenants: {
      credentialFor: async () => ({ id: "key", account: null }),
      service: async () => service,
      endpoint: async () => ({ secrets: [world.secret], credentialIds: ["key"], environment: "test" }),
    },
  });
}
