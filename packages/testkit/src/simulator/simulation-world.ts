import type { IncomingWebhook, Money, PaymentLedger, PaymentState, Random, RefundRequest } from "@tillkit/core";
import type { LedgerRetention, LedgerView, Records } from "@tillkit/core/ledger";
import type {
  Acceptance,
  DeadJob,
  MoneyFacts,
  PayAttempt,
  RecordedRefund,
  RefundDecision,
  StateChange,
  WebhookEvidence,
} from "../invariants/evidence.ts";
import type { MiniatureStore, PlacedOrder, StoreProbe } from "../stores/miniature-store.ts";
import type { Hazards } from "./hazards/hazards.ts";
import type { RestorableLedger } from "./restorable-ledger.ts";
import type { SimulatedTransaction } from "./service-readings.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedService } from "./simulated-service.ts";

export type SimulatedLedger = PaymentLedger &
  Partial<Pick<LedgerRetention, "eraseOrders" | "eraseStore">> &
  Pick<LedgerView, "listJobs"> & { readonly records: Records; close(): Promise<void> };

/** A store of a simulated history: a miniature store or, with the kind `own`, a store that the author of an adapter supplies. */
export type SimulatedStore = Omit<MiniatureStore, "kind" | "probe" | "cancelOrder"> & {
  readonly kind: MiniatureStore["kind"] | "own";
  cancelOrder(orderId: string): void | Promise<void>;
  /** Pays the order with cash. Absent where the platform has no such payment. */
  payOutside?(orderId: string): void | Promise<void>;
  attachPayment?(orderId: string, paymentId: string): void;
  readonly probe: Omit<StoreProbe, "notes"> & {
    /** Null if the shop shows no notes. */
    notes(orderId: string): Promise<readonly string[] | null>;
  };
};

/** An order with the changes of its shopper and its owner. */
export type SimulatedOrder = {
  placed: PlacedOrder;
  total: Money;
  /** The totals that the order had. `from`: when the total began to apply, in milliseconds since 1970. */
  readonly totals: { readonly total: Money; readonly from: number }[];
  readonly closedAttempts: string[];
  readonly payments: string[];
  /** The ids of the refunds that the shop has recorded. */
  readonly shopRefundIds: string[];
  closedAt: number | null;
};

/**
 * Counts everything that may cause calls to the service, for the invariant that limits these calls (`call-budget.ts`). Starts and
 * unanswered starts are counted by order, signals and retries by payment. The key `""` counts work that names no payment. `watched`
 * holds the payments whose shopper waits on our page.
 */
export type Tallies = {
  readonly starts: Map<string, number>;
  readonly unanswered: Map<string, number>;
  readonly signals: Map<string, number>;
  readonly retries: Map<string, number>;
  readonly watched: Set<string>;
  /** The transactions of strangers whose success was delivered, and when first. */
  readonly strangers: Map<string, number>;
};

/** A webhook delivery with the facts that only the simulation knows. */
export type SimulatedWebhook = {
  readonly incoming: IncomingWebhook;
  readonly genuine: boolean;
  readonly paymentId: string | null;
  readonly event: string;
  /** The transaction that the event is about, whether or not the event names it. Null: none. */
  readonly transaction: SimulatedTransaction | null;
  readonly disputeId?: string | undefined;
  readonly refundId?: string | undefined;
};

export type SimulationWorld = {
  readonly clock: SimulatedClock;
  readonly random: Random;
  /** A separate stream for rare hazards, so that all other choices of a seed stay the same. */
  readonly hazardRandom: Random;
  /** Another one, for money that moves without us. */
  readonly moneyRandom: Random;
  /** Another one, for what persons decide about that money. */
  readonly personRandom: Random;
  /** Another one, for hazards of time. */
  readonly timeRandom: Random;
  readonly service: SimulatedService;
  readonly store: SimulatedStore;
  /** The totals that orders may have. */
  readonly totals: readonly [Money, ...Money[]];
  /** Releases the store's resources. */
  closeStore(): Promise<void>;
  /** The ledger without faults, for the simulation's own reads. */
  readonly ledger: RestorableLedger;
  /** The states in which the ledger stores payments, as far as they were observed. */
  readonly knownStates: Map<string, PaymentState>;
  readonly orders: SimulatedOrder[];
  readonly processes: SimulatedProcess[];
  readonly startedAt: number;
  readonly history: { readonly at: number; readonly text: string }[];
  readonly stateChanges: StateChange[];
  readonly deadJobs: DeadJob[];
  /** `isNew`: the ledger had not stored these bytes. */
  readonly webhooks: (WebhookEvidence & { readonly webhook: SimulatedWebhook; readonly isNew: boolean })[];
  /** Everything that was logged or shown, for the invariant on privacy. */
  readonly output: string[];
  readonly decisions: RefundDecision[];
  /** What the owner asked for, to ask for it again after the ledger was restored. */
  readonly refundClicks: RefundClick[];
  readonly moneyFacts: MoneyFacts;
  readonly acceptances: Acceptance[];
  readonly recordedRefunds: RecordedRefund[];
  readonly payAttempts: PayAttempt[];
  readonly tallies: Tallies;
  /** The webhook secrets and the keys that sign references, each newest first. */
  secrets: readonly string[];
  referenceKeys: readonly [string, ...string[]];
  /** In this seed a refund's answer may be lost for good, or the repetition of its request rejected. */
  readonly losesRefunds: boolean;
  /** Until then the service's list of refunds hides rows; 0: it never does. */
  readonly hidesRefundsUntil: number;
  readonly slowWrites: boolean;
  /** The current hazards: those of the seed, and none after the fault period. */
  hazards: Hazards;
  readonly faultsEndAt: number;
  /** The owner changes nothing after this time. An outage of the service may still be going on then. */
  readonly activeUntil: number;
  readonly waitingWorkers: (() => void)[];
  /** How far the clock of the machine of all processes is ahead. */
  clockAheadMs: number;
  crashes: number;
  /** The operator has stopped all processes, and starts them later. */
  isStopped: boolean;
  /** How often a worker looked for due jobs and found none. */
  emptyRuns: number;
  /** When the last process wakes up that fell asleep so far. */
  lastWakeAt: number;
  /** When a backup replaced the ledger, or its rows were deleted. Null: never. */
  restoredAt: number | null;
  /** The starts of each order that are under way, and those that were when `restoredAt` began the counts anew. */
  readonly startsUnderWay: Map<string, number>;
  startsAtLoss: ReadonlyMap<string, number>;
  /** The payments that a signal has named to the ledger since then. */
  readonly remembered: Set<string>;
};

export type RefundClick = {
  readonly order: SimulatedOrder;
  readonly request: Omit<RefundRequest, "key">;
  readonly keys: string[];
  readonly at: number;
};

export function areFaultsActive({ clock, faultsEndAt }: SimulationWorld): boolean {
  return clock.now() < faultsEndAt;
}

/** Returns a random living process, or null. A load balancer sends nothing to a process that sleeps, unless all sleep. */
export function anyAlive({ processes, random }: SimulationWorld): SimulatedProcess | null {
  const running = processes.filter(({ handle }) => handle.isAlive());
  const awake = running.filter(({ isAsleep }) => !isAsleep());
  const alive = awake.length === 0 ? running : awake;
  return alive[Math.floor(random.fraction() * alive.length)] ?? null;
}

/** Waits at most `ms` for an answer and returns null if none came. The work continues. */
export async function withTimeout<Answer>(
  { clock }: SimulationWorld,
  ms: number,
  work: Promise<Answer>,
): Promise<Answer | null> {
  return await new Promise((resolve, reject) => {
    const cancelTimer = clock.setTimer(ms, () => resolve(null));
    work.then(resolve, reject).finally(cancelTimer);
  });
}

export function addHistory({ clock, history }: SimulationWorld, text: string): void {
  history.push({ at: clock.now(), text });
}

/** Wakes one waiting worker at random, as a queue does. A busy worker polls when its job is done. */
export function wakeWorker({ waitingWorkers, random }: SimulationWorld): void {
  if (waitingWorkers.length === 0) return;
  const index = Math.floor(random.fraction() * waitingWorkers.length);
  const [wake] = waitingWorkers.splice(index, 1);
  wake?.();
}

export function increment(tally: Map<string, number>, key: string, count = 1): void {
  tally.set(key, (tally.get(key) ?? 0) + count);
}
