import {
  createMemoryLedger,
  type Language,
  type PaymentLedger,
  type Records,
  type StoreAdapter,
  verifyPayment,
} from "@tillkit/core";
import { createManualClock, type ManualClock } from "../manual-clock.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { createAskingStore } from "../stores/asking/asking-store.ts";
import { createBlindStore } from "../stores/blind/blind-store.ts";
import type { MiniatureStore } from "../stores/miniature-store.ts";
import { createTellOnlyStore } from "../stores/tell-only/tell-only-store.ts";
import { pick } from "./chance.ts";
import { type Broken, checkInvariants } from "./invariants.ts";
import { disturb, maybeRefund } from "./simulated-owner.ts";
import { type SimulatedProcess, startProcess } from "./simulated-process.ts";
import { createSimulatedService, FAIR_WEATHER } from "./simulated-service.ts";
import { shopAround } from "./simulated-shopper.ts";
import { workThrough } from "./simulated-worker.ts";
import { anyAlive, HOUR, MINUTE, note, SECOND, type SimulationWorld } from "./simulation-world.ts";

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

  const shoppers = world.orders.map(async (order) => {
    await shopAround(world, order);
    await maybeRefund(world, order);
  });
  const start = (worker: string) => newProcess(world, worker);
  const workers = [workThrough(world, 0, start), workThrough(world, 1, start), disturb(world)];
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
