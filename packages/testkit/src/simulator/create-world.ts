import type { Random } from "@tillkit/core";
import { HOUR, MINUTE } from "./hazards/durations.ts";
import type { Hazards } from "./hazards/hazards.ts";
import type { RestorableLedger } from "./restorable-ledger.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import { createSimulatedService } from "./simulated-service.ts";
import type { SimulationWorld } from "./simulation-world.ts";
import { sendRefundEvent } from "./webhook-sender.ts";

type Randoms = Pick<SimulationWorld, "random" | "hazardRandom" | "moneyRandom" | "personRandom" | "timeRandom"> & {
  /** What becomes of a refund. */
  readonly refundRandom: Random;
};

type WorldParts = {
  readonly clock: SimulatedClock;
  readonly randoms: Randoms;
  readonly ledger: RestorableLedger;
  readonly opened: Pick<SimulationWorld, "store" | "totals" | "closeStore">;
  readonly startedAt: number;
  readonly hazards: Hazards;
  readonly faultPeriodMs: number;
};

/** A world in which nothing has happened yet, with a service of its own. */
export function createWorld(parts: WorldParts): SimulationWorld {
  const { clock, ledger, opened, startedAt, hazards, faultPeriodMs } = parts;
  const { refundRandom, ...randoms } = parts.randoms;
  const world: SimulationWorld = {
    clock,
    ...randoms,
    ledger,
    knownStates: new Map(),
    service: createSimulatedService({
      clock,
      random: randoms.random,
      hazardRandom: randoms.hazardRandom,
      refundRandom,
      startedAt,
      keyLifeMs: hazards.time.broken === "short-keys" ? 20 * MINUTE : 24 * HOUR,
      memoryMs: hazards.time.broken === "forgets" ? 30 * MINUTE : Number.POSITIVE_INFINITY,
      isTooLate: (sendBy) => hazards.time.broken !== "sleeps-unseen" && clock.now() + world.clockAheadMs > sendBy,
      hazards: () => world.hazards.service,
      money: () => world.hazards.money,
      onRefundDecided: (refund) => sendRefundEvent(world, refund),
    }),
    store: opened.store,
    totals: opened.totals,
    closeStore: opened.closeStore,
    orders: [],
    processes: [],
    startedAt,
    history: [],
    stateChanges: [],
    deadJobs: [],
    webhooks: [],
    output: [],
    decisions: [],
    refundClicks: [],
    moneyFacts: { namedTransactions: [], refundCommits: [], disputeReports: [], confirmations: [] },
    acceptances: [],
    recordedRefunds: [],
    payAttempts: [],
    tallies: emptyTallies(),
    secrets: ["whsec_of_the_simulation"],
    referenceKeys: ["the first reference key of the simulation"],
    hidesRefundsUntil: hazards.service.hiddenRefunds > 0 ? startedAt + faultPeriodMs : 0,
    losesRefunds: hazards.service.lostRefunds > 0 || hazards.service.rejectsRetries > 0,
    slowWrites: hazards.time.slowWrites > 0,
    hazards,
    faultsEndAt: startedAt + faultPeriodMs,
    activeUntil: startedAt + hazards.faultPeriodMs,
    waitingWorkers: [],
    clockAheadMs: 0,
    crashes: 0,
    isStopped: false,
    emptyRuns: 0,
    lastWakeAt: 0,
    restoredAt: null,
    startsUnderWay: new Map(),
    startsAtLoss: new Map(),
    remembered: new Set(),
  };
  return world;
}

function emptyTallies(): SimulationWorld["tallies"] {
  const [starts, unanswered] = [new Map(), new Map()];
  return { starts, unanswered, signals: new Map(), retries: new Map(), watched: new Set(), strangers: new Map() };
}
