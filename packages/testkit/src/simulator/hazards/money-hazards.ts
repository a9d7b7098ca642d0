import type { Random } from "@tillkit/core";
import { HOUR, MINUTE } from "./durations.ts";
import { happens, pick, randomMs } from "./random-choice.ts";

/**
 * Money that moves at the service without us: other integrations on the same key, further transactions of our sessions, and disputes;
 * and what the service, the ledger's backups and erasures leave us to recognize our own money by. Numbers as in `Hazards`.
 */
export type MoneyHazards = {
  /** The number of sales at a till on the same key. Their events name a transaction and nothing else. */
  readonly tillSales: number;
  /** The probability that a sale is refunded, and that it is disputed. */
  readonly tillRefunds: number;
  readonly tillDisputes: number;
  /** The probability that a paid session receives a second completed transaction. */
  readonly paysAgain: number;
  /** The probability that a completed transaction of ours is disputed. */
  readonly disputes: number;
  /** Whether the service makes refunds of money that a dispute has taken back. */
  readonly refundsDisputed: boolean;
  /** The probability that a person decides what the engine leaves to a person. */
  readonly persons: number;
  /** When the key gets a Member Account, for payments from then on. Counted from the start of the history. */
  readonly accountFromMs: number | null;
  /** The probability that the event of a refund or a dispute repeats the metadata of our session. */
  readonly metadata: number;
  readonly reason: ReasonQuirk;
  readonly naming: Naming;
  readonly restore: Restore | null;
  /** When the rows of finished payments are erased, counted from the start of the history. Null: never. */
  readonly erase: { readonly atMs: number; readonly what: "orders" | "store" } | null;
};

/** What becomes of the `reason` of a refund. A number: it is cut to that length. */
export type ReasonQuirk = "kept" | "dropped" | "recased" | "changed" | "refused" | number;

/** What the service names in its answers, besides the ids of what was asked for. */
export type Naming = {
  /** What the reading of a transaction names. */
  readonly session: boolean;
  readonly reference: boolean;
  /** By which of its two ids a completed session names its transaction. */
  readonly transaction: "id" | "code" | null;
  /** By which of its two ids events and the rows of refunds name a transaction. */
  readonly elsewhere: "id" | "code";
};

/** A backup of the ledger replaces the ledger. Times are counted from the start of the history. */
export type Restore = {
  readonly backupAtMs: number;
  readonly restoreAtMs: number;
  /** How long after the restore an operator recovers payments from the service. Null: never. */
  readonly recoversAfterMs: number | null;
  /** The probability that an event that was delivered before is delivered again. */
  readonly redelivers: number;
};

const NAMES_EVERYTHING: Naming = { session: true, reference: true, transaction: "id", elsewhere: "id" };

export const NO_MONEY_HAZARDS: MoneyHazards = {
  tillSales: 0,
  tillRefunds: 0,
  tillDisputes: 0,
  paysAgain: 0,
  disputes: 0,
  refundsDisputed: true,
  persons: 0,
  accountFromMs: null,
  metadata: 0,
  reason: "kept",
  naming: NAMES_EVERYTHING,
  restore: null,
  erase: null,
};

/**
 * The hazards of money in two seeds of five. `random` and `lateRandom` must be separate streams, so that all other choices of a seed
 * stay the same; `lateRandom` also decides what persons do.
 */
export function chooseMoneyHazards(random: Random, lateRandom: Random, faultPeriodMs: number): MoneyHazards {
  if (!happens(random, 0.4)) return NO_MONEY_HAZARDS;
  const sometimes = <Value>(probability: number, otherwise: Value, values: readonly [Value, ...Value[]]): Value =>
    happens(random, probability) ? pick(random, values) : otherwise;
  const chosen = {
    tillSales: sometimes(0.5, 0, [1, 2, 4]),
    tillRefunds: pick(random, [0, 0.5]),
    tillDisputes: pick(random, [0, 0.5]),
    paysAgain: sometimes(0.3, 0, [0.3, 1]),
    disputes: sometimes(0.4, 0, [0.4, 1]),
    refundsDisputed: happens(random, 0.5),
    reason: sometimes<ReasonQuirk>(0.5, "kept", [
      "dropped",
      "recased",
      "changed",
      "refused",
      5 + Math.floor(random.fraction() * 8),
    ]),
    naming: sometimes<Naming>(0.4, NAMES_EVERYTHING, [
      {
        session: happens(random, 0.4),
        reference: happens(random, 0.4),
        transaction: pick(random, ["id", "code", null]),
        elsewhere: pick(random, ["id", "code"]),
      },
    ]),
    restore: happens(random, 0.2) ? randomRestore(random, faultPeriodMs) : null,
    erase: happens(random, 0.1)
      ? { atMs: faultPeriodMs + randomMs(random, 100 * HOUR), what: pick(random, ["orders", "store"] as const) }
      : null,
  };
  return {
    ...chosen,
    // Disputes have no route to be read by, so they are what a restored ledger forgets first.
    disputes: chosen.restore === null ? chosen.disputes : Math.max(chosen.disputes, pick(random, [0, 0.5])),
    persons: pick(random, [0, 0.7]),
    metadata: pick(lateRandom, [0, 0.5]),
    accountFromMs: sometimes<number | null>(0.1, null, [randomMs(random, faultPeriodMs)]),
  };
}

function randomRestore(random: Random, faultPeriodMs: number): Restore {
  const backupAtMs = randomMs(random, faultPeriodMs);
  const ageMs = pick(random, [5 * MINUTE, HOUR, 26 * HOUR, 120 * HOUR]);
  return {
    backupAtMs,
    restoreAtMs: backupAtMs + 1 + randomMs(random, ageMs),
    recoversAfterMs: pick(random, [null, MINUTE, 3 * HOUR]),
    redelivers: pick(random, [0.2, 1]),
  };
}
