import type { Engine, Money, StoreAdapter } from "@tillkit/core";
import type { Records } from "@tillkit/core/ledger";
import { createSeededRandom } from "../seeded-random.ts";
import type { OpenStore, SimulatableStore } from "../store-under-test.ts";
import { createCallbackStore } from "../stores/callback/callback-store.ts";
import type { MiniatureStore } from "../stores/miniature-store.ts";
import { createReadThenWriteStore } from "../stores/read-then-write/read-then-write-store.ts";
import { createWriteOnlyStore } from "../stores/write-only/write-only-store.ts";
import { createWorld } from "./create-world.ts";
import {
  addRareHazards,
  addRefundHazards,
  addRefusals,
  chooseAutoRefund,
  chooseHazards,
} from "./hazards/choose-hazards.ts";
import { SECOND } from "./hazards/durations.ts";
import type { Hazards } from "./hazards/hazards.ts";
import { chooseMoneyHazards } from "./hazards/money-hazards.ts";
import { addTimeHazards, NO_TIME_HAZARDS } from "./hazards/time-hazards.ts";
import { createOwnStore } from "./own-store.ts";
import { withBackups, withoutBackups } from "./restorable-ledger.ts";
import type { SimulatedApp } from "./simulated-app.ts";
import { createSimulatedClock, type SimulatedClock } from "./simulated-clock.ts";
import { keepsMark } from "./simulated-owner.ts";
import {
  anyAlive,
  increment,
  type SimulatedLedger,
  type SimulatedStore,
  type SimulationWorld,
  withTimeout,
} from "./simulation-world.ts";

export type SimulationOptions = {
  /** The same seed gives the same history. */
  readonly seed: number;
  /** A miniature store, or a function that opens a new store of your own. */
  readonly store: MiniatureStore["kind"] | OpenStore<SimulatableStore>;
  /** Replaces the adapter, to show that the simulation finds a wrong one. */
  readonly adapt?: (adapter: StoreAdapter) => StoreAdapter;
  /** Replaces the handling of webhooks and returns, to show that the simulation finds a wrong one. */
  readonly createApp?: (engine: Engine) => SimulatedApp;
  /** Changes the hazards that the seed chose. */
  readonly hazards?: (chosen: Hazards) => Hazards;
  /** Opens a fresh ledger. A memory ledger by default. */
  readonly openLedger?: () => Promise<SimulatedLedger>;
};

/** Arbitrary constants that are mixed into the seed, so that the separate streams differ from the main stream. */
const AUTO_REFUND_SEED = 0x5eed_b4c4;
const HAZARD_SEED = 0x1cc5_0f0d;
const REFUND_SEED = 0x3f00_d5ee;
const MONEY_SEED = 0x0a17_ca5e;
const PERSON_SEED = 0x7e25_0a11;
const TIME_SEED = 0x0c10_c4ed;
const REFUSAL_SEED = 0x4030_5eed;

/** How long a platform waits for the answer to its callback. */
const CALLBACK_TIMEOUT_MS = 20 * SECOND;

export async function openWorld(
  options: SimulationOptions,
  openLedger: () => Promise<SimulatedLedger>,
): Promise<SimulationWorld> {
  const startedAt = Date.UTC(2026, 2, 1);
  const clock = createSimulatedClock(startedAt);
  const random = createSeededRandom(options.seed);
  const basicHazards = chooseHazards(random);
  const autoRefund = chooseAutoRefund(createSeededRandom(options.seed ^ AUTO_REFUND_SEED));
  const hazardRandom = createSeededRandom(options.seed ^ HAZARD_SEED);
  const refundRandom = createSeededRandom(options.seed ^ REFUND_SEED);
  const rare = addRareHazards({ ...basicHazards, owner: { ...basicHazards.owner, autoRefund } }, hazardRandom);
  const moneyRandom = createSeededRandom(options.seed ^ MONEY_SEED);
  const personRandom = createSeededRandom(options.seed ^ PERSON_SEED);
  const money = chooseMoneyHazards(moneyRandom, personRandom, rare.faultPeriodMs);
  const timeRandom = createSeededRandom(options.seed ^ TIME_SEED);
  const timeless = { ...addRefundHazards(rare, refundRandom), money };
  const timely = withoutLateClicks(addTimeHazards(timeless, timeRandom));
  const chosen = addRefusals(timely, createSeededRandom(options.seed ^ REFUSAL_SEED));
  const ledger = await openLedger();
  const opened = await openStore(options.store, clock, ledger.records, (id) => authorizeByLiveProcess(world, id));
  const suitable = opened.store.kind === "own" ? forOwnStore(chosen, opened, options.seed) : chosen;
  const hazards = options.hazards?.(suitable) ?? suitable;
  const ends = [hazards.service.outage, hazards.store.refuses].map((fault) =>
    fault ? fault.fromMs + fault.lastsMs : 0,
  );
  const faultPeriodMs = Math.max(hazards.faultPeriodMs, ...ends);
  const world = createWorld({
    clock,
    randoms: { random, hazardRandom, refundRandom, moneyRandom, personRandom, timeRandom },
    ledger: hazards.money.restore === null ? withoutBackups(ledger) : withBackups(ledger, openLedger),
    opened,
    startedAt,
    hazards,
    faultPeriodMs,
  });
  return world;
}

// A ledger that was restored, or whose store was erased, recognizes a refund without a mark only while the service remembers its key. A click
// that waits in a sleeping process comes later than its shop would click.
function withoutLateClicks({ time, money, ...hazards }: Hazards): Hazards {
  const keepsRefunds = money.restore === null && money.erase?.what !== "store";
  const canRecognize = keepsRefunds || keepsMark(money.reason);
  return { ...hazards, money, time: canRecognize ? time : { ...time, sleeps: NO_TIME_HAZARDS.sleeps } };
}

type OpenedStore = Parameters<typeof createWorld>[0]["opened"] & {
  readonly canEdit: boolean;
  readonly canClose: boolean;
};

export async function openStore(
  chosen: SimulationOptions["store"],
  clock: SimulatedClock,
  records: Records,
  authorize: Parameters<typeof createCallbackStore>[0]["authorize"],
): Promise<OpenedStore> {
  if (typeof chosen === "function") return openOwnStore(await chosen({ clock, records, authorize }), clock);
  return {
    store: openMiniature(chosen, clock, records, authorize),
    totals: [totalIn("XOF"), totalIn("USD")],
    canEdit: true,
    canClose: true,
    closeStore: async () => {},
  };
}

function openOwnStore(store: SimulatableStore, clock: SimulatedClock): OpenedStore {
  const [first, ...others] = store.currencies ?? ["XOF", "USD"];
  return {
    store: createOwnStore(store, clock),
    totals: [totalIn(first), ...others.map(totalIn)],
    canEdit: store.editTotal !== undefined,
    canClose: store.makeUnpayable !== undefined || store.payOutside !== undefined,
    closeStore: async () => await store.close?.(),
  };
}

function totalIn(currency: string): Money {
  return { minor: currency === "XOF" ? 5_000 : 1_999, currency };
}

function openMiniature(
  kind: MiniatureStore["kind"],
  clock: SimulatedClock,
  records: Records,
  authorize: Parameters<typeof createCallbackStore>[0]["authorize"],
): SimulatedStore {
  if (kind === "callback") return createCallbackStore({ clock, authorize });
  if (kind === "read-then-write") return createReadThenWriteStore({ clock });
  return createWriteOnlyStore({ clock, records });
}

// The author's adapter is under test, so every second seed loses and delays many of its writes. The simulated owner makes no edits
// or cancellations that the store does not offer.
function forOwnStore({ owner, store, ...hazards }: Hazards, { canEdit, canClose }: OpenedStore, seed: number): Hazards {
  return {
    ...hazards,
    time: NO_TIME_HAZARDS,
    store: seed % 2 === 0 ? { ...store, faults: Math.max(store.faults, 0.5), latencyMs: 1_500 } : store,
    owner: { ...owner, edits: canEdit ? owner.edits : 0, closes: canClose ? owner.closes : 0 },
  };
}

// The shop's callback is a request to one process and fails if that process dies.
async function authorizeByLiveProcess(world: SimulationWorld, paymentId: string): ReturnType<SimulatedApp["verify"]> {
  increment(world.tallies.signals, paymentId);
  const process = anyAlive(world);
  const verdict = process && (await withTimeout(world, CALLBACK_TIMEOUT_MS, process.app.verify(paymentId)));
  if (!verdict) throw new Error("No process answered the shop's callback.");
  return verdict;
}
