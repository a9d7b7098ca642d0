import type { Random } from "@tillkit/core";
import { HOUR, MINUTE, SECOND } from "./durations.ts";
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
   * The probability that a process falls asleep before or after one of its calls, for seconds to 30 hours. `isSuspended`: its machine
   * sleeps, so that its timers stand still meanwhile.
   */
  readonly sleeps: { readonly probability: number; readonly isSuspended: boolean };
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
  sleeps: { probability: 0, isSuspended: false },
  clockJump: null,
  newerJobs: 0,
  broken: null,
};

/** The hazards of time in one seed of eight. `random` must be a separate stream, so that all other choices of a seed stay the same. */
export function chooseTimeHazards(random: Random): TimeHazards {
  return happens(random, 1 / 8) ? chooseSomeTimeHazards(random) : NO_TIME_HAZARDS;
}

function chooseSomeTimeHazards(random: Random): TimeHazards {
  const broken = happens(random, 1 / 6)
    ? pick(random, ["late-writes", "sleeps-unseen", "short-keys", "forgets"] as const)
    : null;
  const hazards = {
    slowWrites: pick(random, [0, 0.25, 0.7]),
    diesMeanwhile: pick(random, [0, 0.5]),
    actsMeanwhile: pick(random, [0, 0.7]),
    sleeps: { probability: pick(random, [0, 0, 0.002, 0.01]), isSuspended: happens(random, 0.5) },
    clockJump: happens(random, 0.2) ? randomJump(random) : null,
    newerJobs: pick(random, [0, 0, 0, 30]),
    broken,
  };
  if (broken === "late-writes") return { ...hazards, slowWrites: 0.7, actsMeanwhile: 0.7 };
  return broken === "sleeps-unseen" ? { ...hazards, sleeps: { ...hazards.sleeps, probability: 0.01 } } : hazards;
}

function randomJump(random: Random): TimeHazards["clockJump"] {
  const size = pick(random, [20 * SECOND, 10 * MINUTE, 5 * HOUR, 80 * HOUR, 100 * DAY]);
  return {
    atMs: randomMs(random, 15 * MINUTE),
    aheadMs: happens(random, 0.7) ? size : -size,
    lastsMs: randomMs(random, pick(random, [MINUTE, 30 * MINUTE])),
  };
}
