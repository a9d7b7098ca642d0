import type { IncomingWebhook, Money, PaymentLedger, Random, Records } from "@tillkit/core";
import type {
  DeadJob,
  PayAttempt,
  RecordedRefund,
  RefundDecision,
  StateChange,
  WebhookEvidence,
} from "../invariants/evidence.ts";
import type { MiniatureStore, PlacedOrder } from "../stores/miniature-store.ts";
import type { Hazards } from "./hazards/hazards.ts";
import type { SimulatedProcess } from "./simulated-app.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedService } from "./simulated-service.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export type SimulatedLedger = PaymentLedger & { readonly records: Records; close(): Promise<void> };

/** An order with what its shopper and its owner did to it. */
export type SimulatedOrder = {
  placed: PlacedOrder;
  total: Money;
  readonly totals: { readonly total: Money; readonly from: number }[];
  readonly closedAttempts: string[];
  readonly payments: string[];
  /** Refunds that the shop has written down, by the service's ids. */
  readonly shopRefundIds: string[];
  closedAt: number | null;
};

/** What is counted for the budget, by payment, starts and those without an answer by order; `""` stands for work that names no payment. */
export type Tallies = {
  readonly starts: Map<string, number>;
  readonly unanswered: Map<string, number>;
  readonly signals: Map<string, number>;
  readonly retries: Map<string, number>;
  readonly watched: Set<string>;
};

/** A webhook on its way, with what the simulation knows about it. */
export type SimulatedWebhook = {
  readonly incoming: IncomingWebhook;
  readonly genuine: boolean;
  readonly paymentId: string | null;
  readonly event: string;
};

export type SimulationWorld = {
  readonly clock: SimulatedClock;
  readonly random: Random;
  /** Decides what is hard about this world: another stream, so that everything else under a seed stays what it was. */
  readonly hazardRandom: Random;
  readonly service: SimulatedService;
  readonly store: MiniatureStore;
  /** As it is, without the faults on the way to it: for those who look at it. */
  readonly ledger: SimulatedLedger;
  readonly orders: SimulatedOrder[];
  readonly processes: SimulatedProcess[];
  readonly startedAt: number;
  readonly history: { readonly at: number; readonly text: string }[];
  readonly stateChanges: StateChange[];
  readonly deadJobs: DeadJob[];
  readonly webhooks: (WebhookEvidence & { readonly webhook: SimulatedWebhook })[];
  readonly output: string[];
  readonly decisions: RefundDecision[];
  readonly recordedRefunds: RecordedRefund[];
  readonly payAttempts: PayAttempt[];
  readonly tallies: Tallies;
  /** Newest first. */
  secrets: readonly string[];
  referenceKeys: readonly [string, ...string[]];
  /** What goes wrong now: the seed's hazards, nothing once the storm is over. */
  hazards: Hazards;
  readonly faultsEndAt: number;
  /** Until when people shop, edit and click; a long outage goes on without them. */
  readonly activeUntil: number;
  readonly waitingWorkers: (() => void)[];
  crashes: number;
};

export function areFaultsActive({ clock, faultsEndAt }: SimulationWorld): boolean {
  return clock.now() < faultsEndAt;
}

/** One of the processes that live, by chance. */
export function anyAlive({ processes, random }: SimulationWorld): SimulatedProcess | null {
  const alive = processes.filter(({ handle }) => handle.isAlive());
  return alive[Math.floor(random.fraction() * alive.length)] ?? null;
}

/** What somebody hears who waits this long for an answer: null when nothing came. What they asked for goes on. */
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

/** A line of the history, for people who look into a seed. */
export function addHistory({ clock, history }: SimulationWorld, text: string): void {
  history.push({ at: clock.now(), text });
}

/** Wakes one worker that rests, as a queue does; the others see for themselves when they have done what they are at. */
export function wakeWorker({ waitingWorkers, random }: SimulationWorld): void {
  if (waitingWorkers.length > 0) waitingWorkers.splice(Math.floor(random.fraction() * waitingWorkers.length), 1)[0]?.();
}

export function increment(tally: Map<string, number>, key: string, count = 1): void {
  tally.set(key, (tally.get(key) ?? 0) + count);
}
