import {
  codeOf,
  confirmForShopper,
  createMemoryLedger,
  type Language,
  type Money,
  type PaymentLedger,
  type Records,
  receiveWebhook,
  runDue,
  type StoreAdapter,
  startCheckout,
  tellCancel,
  verifyPayment,
  watchPayment,
} from "@tillkit/core";
import { createManualClock, type ManualClock } from "../manual-clock.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { type AskingStore, createAskingStore } from "../stores/asking/asking-store.ts";
import { createBlindStore } from "../stores/blind/blind-store.ts";
import type { MiniatureStore, PlacedOrder } from "../stores/miniature-store.ts";
import { createTellOnlyStore } from "../stores/tell-only/tell-only-store.ts";
import { type Broken, checkInvariants } from "./invariants.ts";
import { type SimulatedProcess, startProcess } from "./simulated-process.ts";
import {
  createSimulatedService,
  FAIR_WEATHER,
  type SimulatedService,
  type SimulatedSession,
  type SimulatedWebhook,
} from "./simulated-service.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export type SimulationOptions = {
  /** Decides everything: the same seed, the same history. */
  readonly seed: number;
  readonly store: MiniatureStore["kind"];
  /** Stands between the engine and the shop: to show that a wrong adapter is caught. */
  readonly adapt?: (adapter: StoreAdapter) => StoreAdapter;
  /** A fresh ledger; in memory unless given. */
  readonly openLedger?: () => Promise<PaymentLedger & { readonly records: Records; close(): Promise<void> }>;
};

export type SimulationResult = {
  readonly broken: readonly Broken[];
  /** What happened, one line an event: for people who look into a failing seed. */
  readonly history: readonly string[];
  readonly orders: number;
  readonly kills: number;
};

/**
 * One history of a shop in virtual time: shoppers who pay, leave, come back, pay twice or late; an owner who edits and
 * cancels; a service and a shop that are slow, down and forget to answer; webhooks lost, repeated and reordered; two
 * processes that die at any step and start again. Then all faults end, time goes on, and the invariants are checked.
 */
export async function runSimulation(options: SimulationOptions): Promise<SimulationResult> {
  const world = await openWorld(options);
  try {
    await liveThroughFaults(world);
    await liveOn(world);
    const broken = await checkInvariants(world);
    return { broken, history: world.history, orders: world.orders.length, kills: world.kills };
  } finally {
    await world.ledger.close();
  }
}

/** An order with what its shopper and its owner did to it. */
export type SimulatedOrder = {
  placed: PlacedOrder;
  total: Money;
  /** Everything that was ever the order's total: a payment of any other amount may never count. */
  readonly totals: Money[];
  readonly sessions: SimulatedSession[];
  readonly payments: string[];
  cancelled: boolean;
};

export type SimulationWorld = {
  readonly clock: ManualClock;
  readonly random: ReturnType<typeof createSeededRandom>;
  readonly service: SimulatedService;
  readonly store: MiniatureStore;
  readonly adapter: StoreAdapter;
  readonly ledger: PaymentLedger & { readonly records: Records; close(): Promise<void> };
  readonly orders: SimulatedOrder[];
  readonly history: string[];
  readonly processes: SimulatedProcess[];
  /** Ends of the time with faults, in milliseconds since 1970. */
  readonly stormEndsAt: number;
  danger: number;
  kills: number;
};

const SECRET = "whsec_of_the_simulation";
const REFERENCE_KEY = "reference key of the simulation";
const STORM_MS = 150 * MINUTE;

async function openWorld({ seed, store: kind, openLedger, adapt }: SimulationOptions): Promise<SimulationWorld> {
  const clock = createManualClock(Date.UTC(2026, 2, 1));
  const random = createSeededRandom(seed);
  const ledger = openLedger ? await openLedger() : createMemoryLedger();
  const store = openStore(kind, clock, ledger.records, (id) => askAlive(world, id));
  const world: SimulationWorld = {
    clock,
    random,
    ledger,
    service: createSimulatedService(clock, random, SECRET),
    store,
    adapter: adapt ? adapt(store.adapter) : store.adapter,
    orders: [],
    history: [],
    processes: [],
    stormEndsAt: clock.now() + STORM_MS,
    danger: 0,
    kills: 0,
  };
  for (const worker of ["one", "two"]) world.processes.push(newProcess(world, worker));
  return world;
}

function openStore(
  kind: MiniatureStore["kind"],
  clock: ManualClock,
  records: Records,
  authorize: Parameters<typeof createAskingStore>[0]["authorize"],
): MiniatureStore {
  if (kind === "asking") return createAskingStore({ clock, authorize });
  if (kind === "blind") return createBlindStore({ clock });
  return createTellOnlyStore({ clock, records });
}

// The shop's question is a request to us: it fails when the process that takes it dies.
async function askAlive(world: SimulationWorld, paymentId: string): ReturnType<typeof verifyPayment> {
  const process = anyAlive(world);
  if (!process) throw new Error("Nobody answered the shop.");
  const timeout = world.clock.sleep(20 * SECOND).then(() => {
    throw new Error("Nobody answered the shop in time.");
  });
  timeout.catch(() => undefined);
  return await Promise.race([verifyPayment(process.engine, paymentId), timeout]);
}

function newProcess(world: SimulationWorld, worker: string): SimulatedProcess {
  const { ledger, clock, random, service, adapter } = world;
  return startProcess({
    random,
    worker,
    referenceKey: REFERENCE_KEY,
    danger: () => world.danger,
    ports: {
      ledger,
      clock,
      store: async () => adapter,
      tenants: {
        credentialFor: async () => ({ id: "key", account: null }),
        service: async () => service.port,
        endpoint: async () => ({ secrets: [SECRET], credentialIds: ["key"], environment: "test" }),
      },
    },
  });
}

export function anyAlive(world: SimulationWorld): SimulatedProcess | undefined {
  const alive = world.processes.filter((process) => process.life.isAlive());
  return alive[Math.floor(world.random.fraction() * alive.length)];
}

async function liveThroughFaults(world: SimulationWorld): Promise<void> {
  const { random, clock } = world;
  world.danger = pick(random, [0, 0.002, 0.01]);
  world.service.weather = {
    down: pick(random, [0, 0.1, 0.5]),
    lost: pick(random, [0, 0.1, 0.3]),
    narrow: pick(random, [0, 0, 0.2]),
    latencyMs: pick(random, [10, 500, 4_000]),
  };
  world.store.setLatency(pick(random, [0, 200, 3_000]));
  const count = 1 + Math.floor(random.fraction() * 3);
  for (let index = 0; index < count; index += 1) await placeOrder(world, index);

  const shoppers = world.orders.map((order) => shopAround(world, order));
  const workers = [workThrough(world, 0), workThrough(world, 1), disturb(world)];
  while (clock.now() < world.stormEndsAt) await clock.advance(pick(random, [SECOND, 5 * SECOND, 20 * SECOND]));
  endOfStorm(world);
  void Promise.allSettled([...shoppers, ...workers]);
}

// Everything heals: dead processes start again, services answer.
function endOfStorm(world: SimulationWorld): void {
  world.danger = 0;
  world.service.weather = FAIR_WEATHER;
  world.store.setDown(false);
  world.store.setLatency(10);
  note(world, "the storm is over");
}

// Long enough for the last scheduled read of a late payment. Nothing happens but what is due.
async function liveOn({ clock, stormEndsAt }: SimulationWorld): Promise<void> {
  await clock.advance(15 * MINUTE);
  while (clock.now() < stormEndsAt + 80 * HOUR) await clock.advance(HOUR);
}

async function placeOrder(world: SimulationWorld, index: number): Promise<void> {
  const total = pick(world.random, [
    { minor: 5000, currency: "XOF" },
    { minor: 1999, currency: "USD" },
  ]);
  const language: Language = index % 2 === 0 ? "fr" : "en";
  const placed = await world.store.placeOrder({ total, title: `Order ${index}`, language });
  world.orders.push({ placed, total, totals: [total], sessions: [], payments: [], cancelled: false });
}

// --- a worker

async function workThrough(world: SimulationWorld, index: number): Promise<void> {
  const { clock, processes, random } = world;
  for (;;) {
    const process = processes[index];
    if (!process?.life.isAlive()) {
      await clock.sleep(upTo(random, 30 * SECOND));
      world.kills += 1;
      note(world, `process ${index + 1} starts again`);
      processes[index] = newProcess(world, `${index + 1} after ${world.kills} kills`);
      continue;
    }
    // Whoever died in the middle of a round never comes back from it.
    await Promise.race([runDue(process.engine).catch(() => undefined), process.life.ended]);
    await clock.sleep(await restOf(world));
  }
}

// In the storm a round a second; afterwards nobody wakes up for nothing through three days.
async function restOf({ clock, ledger, stormEndsAt }: SimulationWorld): Promise<number> {
  if (clock.now() < stormEndsAt) return SECOND;
  const next = await ledger.nextDueAt();
  return next === null ? 10 * MINUTE : Math.min(Math.max(next - clock.now(), SECOND), 10 * MINUTE);
}

// --- a shopper

async function shopAround(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { clock, random } = world;
  await clock.sleep(upTo(random, 5 * MINUTE));
  const tries = 1 + Math.floor(random.fraction() * 3);
  for (let time = 0; time < tries; time += 1) {
    const session = await pressPay(world, order);
    if (session) await onTheHostedPage(world, order, session);
    await maybeEdit(world, order);
    await clock.sleep(upTo(random, pick(random, [MINUTE, 60 * MINUTE])));
  }
}

async function pressPay(world: SimulationWorld, order: SimulatedOrder): Promise<SimulatedSession | null> {
  const process = anyAlive(world);
  if (!process) return null;
  try {
    const { ref, attempt } = order.placed;
    const found = await world.adapter.findOrder(ref, attempt);
    if (!found) return null;
    const start = await within(world, startCheckout(process.engine, found));
    note(world, `order ${ref.orderId}: pay → ${start?.say ?? "no answer"}`);
    if (start?.say !== "redirect") return null;
    if (!order.payments.includes(start.paymentId)) order.payments.push(start.paymentId);
    if (world.store.kind === "asking") (world.store as AskingStore).keepPayment(ref.orderId, start.paymentId);
    const session = [...world.service.sessions.values()].find(({ key }) => key === start.paymentId);
    if (session && !order.sessions.includes(session)) order.sessions.push(session);
    return session ?? null;
  } catch (error) {
    note(world, `order ${order.placed.ref.orderId}: could not pay, ${codeOf(error)}`);
    return null;
  }
}

async function onTheHostedPage(
  world: SimulationWorld,
  order: SimulatedOrder,
  session: SimulatedSession,
): Promise<void> {
  const { clock, random, service } = world;
  const chance = random.fraction();
  if (chance < 0.3) void post(world, service.event("PAYMENT_CREATED", session));
  if (chance < 0.1) void post(world, service.event("PAYMENT_FAILED", session));
  // A wallet may confirm long after the page expired.
  await clock.sleep(upTo(random, pick(random, [20 * SECOND, 10 * MINUTE, 100 * MINUTE])));
  if (random.fraction() < 0.75 && session.status !== "completed") {
    const wrong = random.fraction() < 0.05;
    const webhook = service.complete(session, wrong ? session.amount - 1 : undefined);
    note(
      world,
      `order ${order.placed.ref.orderId}: session ${session.id} is paid${wrong ? " with another amount" : ""}`,
    );
    void post(world, webhook);
  }
  void comeBack(world, session.key);
}

async function comeBack(world: SimulationWorld, paymentId: string): Promise<void> {
  const { clock, random } = world;
  for (let look = 0; look < 4 && random.fraction() < 0.6; look += 1) {
    const process = anyAlive(world);
    const how = pick(random, ["return", "watch", "cancel"] as const);
    const visits = { return: confirmForShopper, watch: watchPayment, cancel: tellCancel };
    const visit: (engine: SimulatedProcess["engine"], id: string) => Promise<unknown> = visits[how];
    if (process) await within(world, visit(process.engine, paymentId)).catch(() => undefined);
    await clock.sleep(upTo(random, 10 * SECOND));
  }
}

// A browser gives up on a server that does not answer.
async function within<Answer>({ clock }: SimulationWorld, work: Promise<Answer>): Promise<Answer | null> {
  work.catch(() => undefined);
  return await Promise.race([work, clock.sleep(30 * SECOND).then(() => null)]);
}

// --- the network

// Lost, repeated, late, out of order; retried like the service does while nobody answers 2xx.
async function post(world: SimulationWorld, webhook: SimulatedWebhook): Promise<void> {
  const { clock, random } = world;
  if (random.fraction() < 0.3) return;
  const copies = random.fraction() < 0.3 ? 3 : 1;
  for (let copy = 0; copy < copies; copy += 1) void deliver(world, webhook, upTo(random, 30 * SECOND));
  await clock.sleep(0);
}

async function deliver(world: SimulationWorld, webhook: SimulatedWebhook, delayMs: number): Promise<void> {
  await world.clock.sleep(delayMs);
  for (const wait of [5, 10, 20, 40]) {
    const process = anyAlive(world);
    const answer = process && (await within(world, receiveWebhook(process.engine, { endpointId: "main", ...webhook })));
    if (answer?.status === 200) return;
    await world.clock.sleep(wait * SECOND);
  }
}

// --- the owner, and bad luck

async function maybeEdit(world: SimulationWorld, order: SimulatedOrder): Promise<void> {
  const { random, store } = world;
  const { orderId } = order.placed.ref;
  const chance = random.fraction();
  if (chance < 0.1) {
    order.total = { ...order.total, minor: order.total.minor + 100 };
    order.totals.push(order.total);
    order.placed = await store.editTotal(orderId, order.total).catch(() => order.placed);
    note(world, `order ${orderId}: the total is now ${order.total.minor}`);
  } else if (chance < 0.14) {
    store.cancelOrder(orderId);
    order.cancelled = true;
    note(world, `order ${orderId}: cancelled`);
  }
}

async function disturb(world: SimulationWorld): Promise<void> {
  const { clock, random, store } = world;
  const wildness = pick(random, [0, 0.3, 0.8]);
  while (clock.now() < world.stormEndsAt - MINUTE) {
    await clock.sleep(upTo(random, 2 * MINUTE));
    if (random.fraction() > wildness) continue;
    const fault = pick(random, [
      "unavailable",
      "lost-before-effect",
      "lost-after-effect",
      "late",
      "late",
      "down",
    ] as const);
    note(world, `the shop: ${fault}`);
    if (fault === "down") {
      store.setDown(true);
      await clock.sleep(upTo(random, 5 * MINUTE));
      store.setDown(false);
    } else {
      store.failNextWrite(fault === "late" ? { lateMs: lateness(random) } : fault);
    }
  }
}

// Most often just after its sender gave up, when the next try is on its way.
function lateness(random: { fraction(): number }): number {
  return 14 * SECOND + upTo(random, pick(random, [10 * SECOND, 100 * SECOND]));
}

function pick<Value>(random: { fraction(): number }, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random.fraction() * values.length)] ?? values[0];
}

function upTo(random: { fraction(): number }, ms: number): number {
  return Math.floor(random.fraction() * ms);
}

function note({ clock, history }: SimulationWorld, text: string): void {
  history.push(`${new Date(clock.now()).toISOString()} ${text}`);
}
