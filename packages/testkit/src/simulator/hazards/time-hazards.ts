import { limits, type Random } from "@tillkit/core";
import { HOUR, MINUTE, SECOND } from "./durations.ts";
import type { Hazards } from "./hazards.ts";
import { happens, pick, randomMs } from "./random-choice.ts";

const DAY = 24 * HOUR;

/** Faults of time: requests that take as long as a participant may take. Numbers as in `Hazards`. */
export type TimeHazards = {
  /**
   * The probability that a write takes effect up to as late as its shop declares: a shop without conditional writes works on it for so
   * long, however short its way was, and every other shop receives it so late.
   */
  readonly slowWrites: number;
  /** The probability that the sender of such a write dies meanwhile, and that the owner closes or refunds an order meanwhile. */
  readonly diesMeanwhile: number;
  readonly actsMeanwhile: number;
  /**
   * The probability that a process falls asleep before or after one of its calls, for seconds to 30 hours. `atDecisions`: the same where
   * what it has read or announced may be outdated when it goes on. `isSuspended`: its machine sleeps, so that its timers stand still
   * meanwhile.
   */
  readonly sleeps: { readonly probability: number; readonly atDecisions: number; readonly isSuspended: boolean };
  /** The clock of the machine on which all processes run jumps, and is corrected later. Counted from the start of the history. */
  readonly clockJump: { readonly atMs: number; readonly aheadMs: number; readonly lastsMs: number } | null;
  /** The number of jobs of a newer version that shares the ledger. */
  readonly newerJobs: number;
  readonly broken: BrokenAxiom | null;
};

/**
 * What the proof of exactly-once relies on and a participant breaks. `late-writes`: a shop takes a write later than it declares.
 * `sleeps-unseen`: a process sleeps between its last look at the clock and its request. `short-keys`: the service forgets an
 * Idempotency-Key within the hour. `forgets`: the service forgets what is older than half an hour.
 */
export type BrokenAxiom = "late-writes" | "sleeps-unseen" | "short-keys" | "forgets";

export const NO_TIME_HAZARDS: TimeHazards = {
  slowWrites: 0,
  diesMeanwhile: 0,
  actsMeanwhile: 0,
  sleeps: { probability: 0, atDecisions: 0, isSuspended: false },
  clockJump: null,
  newerJobs: 0,
  broken: null,
};

/**
 * Adds the hazards of time in one seed of eight, often with those beside which they do harm. `random` must be a separate stream, so that
 * all other seeds stay the same.
 */
export function addTimeHazards(hazards: Hazards, random: Random): Hazards {
  if (!happens(random, 1 / 8)) return hazards;
  const time = chooseSomeTimeHazards(random);
  const often = <Value>(value: Value, otherwise: Value): Value => (happens(random, 0.5) ? value : otherwise);
  const { owner, service, webhooks, skewMs } = hazards;
  return {
    ...hazards,
    time,
    skewMs: often(limits.clockSkewMs / 2, skewMs),
    service: { ...service, pendingRefunds: often(0.5, service.pendingRefunds) },
    webhooks: { ...webhooks, lost: often(1, webhooks.lost) },
    owner: {
      ...owner,
      refunds: often(0.6, owner.refunds),
      autoRefund: often(["duplicate", "order_gone", "order_not_payable"], owner.autoRefund),
    },
  };
}

function chooseSomeTimeHazards(random: Random): TimeHazards {
  const broken = happens(random, 1 / 6)
    ? pick(random, ["late-writes", "sleeps-unseen", "short-keys", "forgets"] as const)
    : null;
  const hazards = {
    slowWrites: pick(random, [0, 0.25, 0.7]),
    diesMeanwhile: pick(random, [0, 0.5]),
    actsMeanwhile: pick(random, [0, 0.7]),
    sleeps: {
      probability: pick(random, [0, 0, 0.002, 0.01]),
      atDecisions: pick(random, [0, 0, 0.1, 0.3]),
      isSuspended: happens(random, 0.5),
    },
    clockJump: happens(random, 0.25) ? randomJump(random) : null,
    newerJobs: pick(random, [0, 0, 0, 30]),
    broken,
  };
  if (broken === "late-writes") return { ...hazards, slowWrites: 0.7, actsMeanwhile: 0.7 };
  return broken === "sleeps-unseen" ? { ...hazards, sleeps: { ...hazards.sleeps, atDecisions: 0.3 } } : hazards;
}

function randomJump(random: Random): TimeHazards["clockJump"] {
  const size = pick(random, [20 * SECOND, 10 * MINUTE, 5 * HOUR, 80 * HOUR, 100 * DAY]);
  return {
    // Most shoppers start to pay in the first minutes.
    atMs: randomMs(random, pick(random, [MINUTE, 15 * MINUTE])),
    aheadMs: happens(random, 0.7) ? size : -size,
    lastsMs: randomMs(random, pick(random, [MINUTE, 30 * MINUTE])),
  };
}
