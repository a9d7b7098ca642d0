import type { Random } from "@tillkit/core";
import { happens, pick } from "./random-choice.ts";

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
};

export const NO_TIME_HAZARDS: TimeHazards = {
  slowWrites: 0,
  diesMeanwhile: 0,
  actsMeanwhile: 0,
  sleeps: { probability: 0, isSuspended: false },
};

/** The hazards of time in one seed of eight. `random` must be a separate stream, so that all other choices of a seed stay the same. */
export function chooseTimeHazards(random: Random): TimeHazards {
  return happens(random, 1 / 8) ? chooseSomeTimeHazards(random) : NO_TIME_HAZARDS;
}

export function chooseSomeTimeHazards(random: Random): TimeHazards {
  return {
    slowWrites: pick(random, [0, 0.25, 0.7]),
    diesMeanwhile: pick(random, [0, 0.5]),
    actsMeanwhile: pick(random, [0, 0.7]),
    sleeps: { probability: pick(random, [0, 0, 0.002, 0.01]), isSuspended: happens(random, 0.5) },
  };
}
