import type { Engine, Money, Records, StoreAdapter } from "@tillkit/core";
import { createSeededRandom } from "../seeded-random.ts";
import { createCallbackStore } from "../stores/callback/callback-store.ts";
import type { MiniatureStore } from "../stores/miniature-store.ts";
import { createReadThenWriteStore } from "../stores/read-then-write/read-then-write-store.ts";
import { createWriteOnlyStore } from "../stores/write-only/write-only-store.ts";
import { addRareHazards, chooseAutoRefund, chooseHazards } from "./hazards/choose-hazards.ts";
import type { Hazards } from "./hazards/hazards.ts";
import type { SimulatedApp } from "./simulated-app.ts";
import { createSimulatedClock, type SimulatedClock } from "./simulated-clock.ts";
import { createSimulatedService } from "./simulated-service.ts";
import {
  anyAlive,
  increment,
  SECOND,
  type SimulatedLedger,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";
import { sendRefundEvent } from "./webhook-sender.ts";

export type SimulationOptions = {
  /** The same seed gives the same history. */
  readonly seed: number;
  readonly store: MiniatureStore["kind"];
  /** Replaces the adapter, to show that the simulation finds a wrong one. */
  readonly adapt?: (adapter: StoreAdapter) => StoreAdapter;
  /** Replaces the handling of webhooks and returns, to show that the simulation finds a wrong one. */
  readonly createApp?: (engine: Engine) => SimulatedApp;
  /** Changes the hazards that the seed chose. */
  readonly hazards?: (chosen: Hazards) => Hazards;
  /** Opens a fresh ledger. A memory ledger by default. */
  readonly openLedger?: () => Promise<SimulatedLedger>;
};

export const TOTALS: readonly [Money, Money] = [
  { minor: 5_000, currency: "XOF" },
  { minor: 1_999, currency: "USD" },
];

/** Constants that make the seeds of the separate streams differ from all other seeds. */
const AUTO_REFUND_SEED = 0x5eed_b4c4;
const HAZARD_SEED = 0x1cc5_0f0d;

export function openWorld(options: SimulationOptions, ledger: SimulatedLedger): SimulationWorld {
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

// The shop's callback is a request to one process and fails if that process dies.
async function authorizeByLiveProcess(world: SimulationWorld, paymentId: string): ReturnType<SimulatedApp["verify"]> {
  increment(world.tallies.signals, paymentId);
  const process = anyAlive(world);
  const verdict = process && (await withTimeout(world, 20 * SECOND, process.app.verify(paymentId)));
  if (!verdict) throw new Error("No process answered the shop's callback.");
  return verdict;
}
