import {
  createMemoryLedger,
  type Engine,
  type Language,
  limits,
  type Money,
  type Records,
  type StoreAdapter,
} from "@tillkit/core";
import type { Evidence } from "../invariants/evidence.ts";
import type { Violation } from "../invariants/invariant.ts";
import { findViolations } from "../invariants/invariants.ts";
import { createSeededRandom } from "../seeded-random.ts";
import { createCallbackStore } from "../stores/callback/callback-store.ts";
import type { MiniatureStore } from "../stores/miniature-store.ts";
import { createReadThenWriteStore } from "../stores/read-then-write/read-then-write-store.ts";
import { createWriteOnlyStore } from "../stores/write-only/write-only-store.ts";
import { causeServiceOutage, causeStoreOutages, killProcesses, stopFaults } from "./faults.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { addRareHazards, chooseAutoRefund, chooseHazards, type Hazards } from "./hazards.ts";
import { pick } from "./random-choice.ts";
import { createApp, type SimulatedApp } from "./simulated-app.ts";
import { createSimulatedClock, type SimulatedClock } from "./simulated-clock.ts";
import { withLedgerFaults } from "./simulated-ledger.ts";
import { simulateOwner } from "./simulated-owner.ts";
import { type ProcessOptions, startProcess } from "./simulated-process.ts";
import { createSimulatedService, transactionOf } from "./simulated-service.ts";
import { payAfterFaults, simulateShopper } from "./simulated-shopper.ts";
import { simulateWorker } from "./simulated-worker.ts";
import {
  anyAlive,
  HOUR,
  increment,
  MINUTE,
  SECOND,
  type SimulatedLedger,
  type SimulatedWebhook,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";
import { deliverOnce, rotateSecrets, sendRefundEvent, withFreshId } from "./webhook-sender.ts";

export type SimulationOptions = {
  /** Decides everything: the same seed, the same history. */
  readonly seed: number;
  readonly store: MiniatureStore["kind"];
  /** Stands between the engine and the shop: to show that a wrong adapter is caught. */
  readonly adapt?: (adapter: StoreAdapter) => StoreAdapter;
  /** Another way to treat webhooks and returns: to show that a wrong one is caught. */
  readonly createApp?: (engine: Engine) => SimulatedApp;
  /** Changes what goes wrong, after the seed has chosen it. */
  readonly hazards?: (chosen: Hazards) => Hazards;
  /** A fresh ledger; in memory unless given. */
  readonly openLedger?: () => Promise<SimulatedLedger>;
};

export type SimulationResult = {
  readonly violations: readonly Violation[];
  readonly evidence: Evidence;
  readonly hazards: Hazards;
  /** Deaths of our processes. */
  readonly deaths: number;
  /** What happened, one line an event: for people who look into a failing seed. */
  history(): readonly string[];
};

/**
 * One history of a shop in virtual time: shoppers who pay, leave, come back, pay twice or late; an owner who edits, cancels
 * and gives back; a service, a shop and a ledger that are slow, down and forget to answer; webhooks lost, repeated, forged
 * and reordered; two processes that die at any step and start again. Then all faults end, time goes on until the last
 * scheduled read, and the invariants are checked.
 */
export async function runSimulation(options: SimulationOptions): Promise<SimulationResult> {
  const ledger = options.openLedger ? await options.openLedger() : createMemoryLedger();
  try {
    const world = openWorld(options, ledger);
    const { hazards } = world;
    await runWithFaults(world, options);
    await payAfterFaults(world);
    await runUntilLastRead(world);
    const redeliveryCalls = await redeliverAll(world);
    const frozenMs = hazards.ledger.freezes > 0 ? limits.orderLeaseMs + limits.jobLeaseMs : 0;
    const callsMs = limits.storeCallMs + limits.serviceCallMs + 3 * hazards.ledger.latencyMs;
    const slowest = callsMs + 2 * hazards.skewMs + frozenMs;
    const evidence = await gatherEvidence(world, { faultsEndedAt: world.faultsEndAt + slowest, redeliveryCalls });
    const violations = findViolations(evidence);
    return { violations, evidence, hazards, deaths: world.crashes, history: () => historyOf(world) };
  } finally {
    await ledger.close();
  }
}

const TOTALS: readonly [Money, Money] = [
  { minor: 5_000, currency: "XOF" },
  { minor: 1_999, currency: "USD" },
];

/** Far from every other seed, and from each other. */
const AUTO_REFUND_SEED = 0x5eed_b4c4;
const HAZARD_SEED = 0x1cc5_0f0d;

function openWorld(options: SimulationOptions, ledger: SimulatedLedger): SimulationWorld {
  const startedAt = Date.UTC(2026, 2, 1);
  const clock = createSimulatedClock(startedAt);
  const random = createSeededRandom(options.seed);
  const basicHazards = chooseHazards(random);
  const autoRefund = chooseAutoRefund(createSeededRandom(options.seed ^ AUTO_REFUND_SEED));
  const hazardRandom = createSeededRandom(options.seed ^ HAZARD_SEED);
  const chosen = addRareHazards({ ...basicHazards, owner: { ...basicHazards.owner, autoRefund } }, hazardRandom);
  const hazards = options.hazards?.(chosen) ?? chosen;
  const outage = hazards.service.outage;
  const faultPeriodMs = Math.max(hazards.faultPeriodMs, outage === null ? 0 : outage.fromMs + outage.lastsMs);
  const world: SimulationWorld = {
    clock,
    random,
    hazardRandom,
    ledger,
    service: createSimulatedService({
      clock,
      random,
      hazardRandom,
      startedAt,
      hazards: () => world.hazards.service,
      onRefundDecided: (refund) => sendRefundEvent(world, refund),
    }),
    store: openStore(options.store, clock, ledger.records, (id) => authorizeByLiveProcess(world, id)),
    orders: [],
    processes: [],
    startedAt,
    history: [],
    stateChanges: [],
    deadJobs: [],
    webhooks: [],
    output: [],
    decisions: [],
    recordedRefunds: [],
    payAttempts: [],
    tallies: { starts: new Map(), unanswered: new Map(), signals: new Map(), retries: new Map(), watched: new Set() },
    secrets: ["whsec_of_the_simulation"],
    referenceKeys: ["the first reference key of the simulation"],
    hazards,
    faultsEndAt: startedAt + faultPeriodMs,
    activeUntil: startedAt + hazards.faultPeriodMs,
    waitingWorkers: [],
    crashes: 0,
  };
  return world;
}

function openStore(
  kind: MiniatureStore["kind"],
  clock: SimulatedClock,
  records: Records,
  authorize: Parameters<typeof createCallbackStore>[0]["authorize"],
): MiniatureStore {
  if (kind === "callback") return createCallbackStore({ clock, authorize });
  if (kind === "read-then-write") return createReadThenWriteStore({ clock });
  return createWriteOnlyStore({ clock, records });
}

// The shop's question is a request to us: it fails when the process that takes it dies.
async function authorizeByLiveProcess(world: SimulationWorld, paymentId: string): ReturnType<SimulatedApp["verify"]> {
  increment(world.tallies.signals, paymentId);
  const process = anyAlive(world);
  const verdict = process && (await withTimeout(world, 20 * SECOND, process.app.verify(paymentId)));
  if (!verdict) throw new Error("Nobody answered the shop.");
  return verdict;
}

async function runWithFaults(world: SimulationWorld, options: SimulationOptions): Promise<void> {
  const { clock, store, hazards, orders } = world;
  const given: Omit<ProcessOptions, "name"> = {
    ledger: withLedgerFaults(world, world.ledger),
    adapt: options.adapt ?? ((adapter) => adapter),
    createApp: options.createApp ?? createApp,
  };
  const start = (name: string) => startProcess(world, { ...given, name });
  for (const name of ["process 1", "process 2"]) world.processes.push(start(name));
  for (let index = 0; index < hazards.orders; index += 1) await placeOrder(world, index);
  store.setLatency(hazards.store.latencyMs);
  const activities = [
    ...orders.flatMap((order) => [simulateShopper(world, order), simulateOwner(world, order)]),
    ...[causeStoreOutages, causeServiceOutage, killProcesses, rotateSecrets].map((causeFaults) => causeFaults(world)),
    ...[0, 1].map((index) => simulateWorker(world, index, start)),
  ];
  void Promise.all(activities);
  await clock.runUntil(world.faultsEndAt);
  stopFaults(world);
}

// Long enough for the last scheduled read of a late payment, be its session opened after the storm. Nothing happens but what is due.
async function runUntilLastRead(world: SimulationWorld): Promise<void> {
  const { clock } = world;
  for (let end = lastReadOf(world); clock.now() < end; end = lastReadOf(world)) await clock.runUntil(end);
}

function lastReadOf({ service, faultsEndAt }: SimulationWorld): number {
  const lapsed = service.sessions.map(({ expiresAt }) => expiresAt + limits.graceMs + 10 * MINUTE);
  return Math.max(faultsEndAt + 3 * HOUR, ...lapsed);
}

/** What was accepted comes once more, as it was and under a new id. Answers what it cost. */
async function redeliverAll(world: SimulationWorld): Promise<number> {
  const { clock, service, webhooks } = world;
  const before = service.total();
  const accepted = webhooks.filter(({ webhook, status }) => status === 200 && FINAL_EVENTS.includes(webhook.event));
  for (const { webhook } of accepted.slice(-MAX_REDELIVERIES)) {
    if (!(await isProcessed(world, webhook))) continue;
    void deliverOnce(world, webhook);
    void deliverOnce(world, withFreshId(world, webhook));
  }
  await clock.runUntil(clock.now() + 5 * MINUTE);
  return service.total() - before;
}

// A success whose transaction could not be read back is looked up once more: a refund will need it.
async function isProcessed(
  { ledger, service }: SimulationWorld,
  { paymentId, event }: SimulatedWebhook,
): Promise<boolean> {
  const payment = paymentId === null ? null : await ledger.find({ id: paymentId });
  if (payment === null || !PROCESSED.includes(payment.state)) return false;
  const session = service.sessionOf(payment.id);
  return event !== "PAYMENT_SUCCEEDED" || session === null || payment.transactionId === transactionOf(session);
}

const MAX_REDELIVERIES = 6;
/** News after which there is no more of the same payment or refund. */
const FINAL_EVENTS: readonly string[] = ["PAYMENT_SUCCEEDED", "REFUND_COMPLETED", "REFUND_FAILED"];
const PROCESSED: readonly string[] = ["recorded", "duplicate", "refunding", "refunded"];

async function placeOrder(world: SimulationWorld, index: number): Promise<void> {
  const total = pick(world.random, TOTALS);
  const language: Language = index % 2 === 0 ? "fr" : "en";
  const placed = await world.store.placeOrder({ total, title: `Order ${index}`, language });
  const totals = [{ total, from: world.startedAt }];
  world.orders.push({ placed, total, totals, closedAttempts: [], payments: [], shopRefundIds: [], closedAt: null });
}

function historyOf({ history, startedAt }: SimulationWorld): readonly string[] {
  return history.map(({ at, text }) => `${new Date(at - startedAt).toISOString().slice(8, 23)} ${text}`);
}
