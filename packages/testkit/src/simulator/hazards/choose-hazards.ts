import { type AutoRefundReason, limits, type Random } from "@tillkit/core";
import { HOUR, MINUTE, SECOND } from "./durations.ts";
import {
  type Hazards,
  NO_HAZARDS,
  NO_QUIRKS,
  PASSIVE_OWNER,
  type RefundQuirks,
  type ServiceQuirks,
} from "./hazards.ts";
import { NO_MONEY_HAZARDS } from "./money-hazards.ts";
import { happens, pick, randomMs } from "./random-choice.ts";
import { NO_TIME_HAZARDS } from "./time-hazards.ts";

/** One seed in twelve has no hazards; the others have a random selection, so that hazards occur alone and in combination. */
export function chooseHazards(random: Random): Hazards {
  const orders = pick(random, [1, 1, 2]);
  const account = pick(random, [null, null, "acct_member"]);
  if (happens(random, 1 / 12)) return { ...NO_HAZARDS, orders, account };
  const sometimes = createSometimes(random);
  return {
    faultPeriodMs: pick(random, [20 * MINUTE, 70 * MINUTE]),
    orders,
    account,
    crash: sometimes(0.4, 0, [0.003, 0.02]),
    kills: sometimes(0.3, 0, [1, 3]),
    skewMs: sometimes(0.2, 0, [SECOND, 5 * SECOND, limits.clockSkewMs / 2]),
    service: {
      ...NO_QUIRKS,
      down: sometimes(0.3, 0, [0.1, 0.5]),
      lost: sometimes(0.3, 0, [0.1, 0.3]),
      refused: sometimes(0.05, 0, [0.3]),
      partialReads: sometimes(0.1, 0, [0.3]),
      latencyMs: sometimes(0.4, 200, [10, 4 * SECOND, 20 * SECOND]),
      outage: sometimes<Hazards["service"]["outage"]>(0.1, null, [randomOutage(random)]),
      failedRefunds: sometimes(0.3, 0, [0.5]),
      pendingRefunds: sometimes(0.3, 0, [0.5]),
    },
    webhooks: {
      lost: sometimes(0.5, 0, [0.3, 1]),
      copies: sometimes(0.4, 1, [2, 3]),
      freshIds: happens(random, 0.3),
      lateMs: sometimes(0.5, SECOND, [30 * SECOND, 20 * MINUTE]),
      withoutIds: sometimes(0.2, 0, [0.5]),
      forged: sometimes(0.2, 0, [0.5]),
      unrelated: sometimes(0.2, 0, [0.5]),
    },
    store: {
      latencyMs: sometimes(0.7, 100, [500, 1500, 2400, 4 * SECOND]),
      faults: sometimes(0.5, 0, [0.3, 0.7]),
      down: sometimes(0.2, 0, [0.3]),
      refuses: null,
    },
    ledger: { latencyMs: sometimes(0.3, 0, [20, 2 * SECOND]), fails: sometimes(0.15, 0, [0.01, 0.05]), freezes: 0 },
    owner: {
      ...PASSIVE_OWNER,
      edits: sometimes(0.3, 0, [0.3]),
      closes: sometimes(0.15, 0, [0.3]),
      refunds: sometimes(0.3, 0, [0.6]),
      dashboard: sometimes(0.1, 0, [0.5]),
      decides: sometimes(0.5, 0, [0.7]),
      autoRefund: [],
    },
    wrong: sometimes(0.15, 0, [0.3, 1]),
    rotates: happens(random, 0.15),
    money: NO_MONEY_HAZARDS,
    time: NO_TIME_HAZARDS,
  };
}

/**
 * Adds rare hazards in two seeds of three. `random` must be a separate stream, so that all other choices of a seed stay the same.
 */
export function addRareHazards(hazards: Hazards, random: Random): Hazards {
  if (happens(random, 1 / 3)) return hazards;
  const sometimes = createSometimes(random);
  const longOutage = {
    fromMs: randomMs(random, 15 * MINUTE),
    lastsMs: pick(random, [25 * HOUR, 50 * HOUR, 72 * HOUR]),
  };
  const emptyReadsPeriod = { fromMs: randomMs(random, 20 * MINUTE), lastsMs: pick(random, [10 * MINUTE, HOUR]) };
  const service = {
    emptyReads: sometimes(0.2, 0, [0.1, 0.4]),
    emptyReadsPeriod: sometimes<ServiceQuirks["emptyReadsPeriod"]>(0.1, null, [emptyReadsPeriod]),
    staleMs: sometimes(0.3, 0, [2 * SECOND, 10 * SECOND]),
    rejectsRetries: sometimes(0.2, 0, [0.5, 1]),
    omitsIds: sometimes(0.15, 0, [0.2, 0.6]),
    listLagMs: sometimes(0.2, 0, [10 * SECOND, MINUTE]),
    declined: sometimes(0.2, 0, [0.5]),
  };
  const owner = {
    statuses: sometimes(0.3, 0, [0.3, 0.7]),
    shopRefunds: sometimes(0.25, 0, [0.5]),
    repeatsClicks: happens(random, 0.4),
  };
  // Outages of days are rare because they make a history long.
  const outage = happens(random, 0.002) ? longOutage : hazards.service.outage;
  const ledger = { ...hazards.ledger, freezes: sometimes(0.15, 0, [0.002, 0.01]) };
  const hesitates = sometimes(0.3, 0, [0.5]);
  return {
    ...hazards,
    ledger,
    service: { ...hazards.service, ...service, outage },
    owner: { ...hazards.owner, ...owner, hesitates },
  };
}

/**
 * In one seed of eight the answers of refunds are lost, and the service does not show plainly what became of them. `random` must be a
 * separate stream, so that all other seeds stay the same.
 */
export function addRefundHazards(hazards: Hazards, random: Random): Hazards {
  if (!happens(random, 1 / 8)) return hazards;
  const quirks: RefundQuirks = {
    lostRefunds: pick(random, [0.5, 1]),
    hiddenRefunds: pick(random, [0, 0.3, 1]),
    unreadableRefunds: pick(random, [0, 0, 0.3]),
    refundClockMs: pick(random, [0, -MINUTE, -HOUR, 5 * MINUTE]),
  };
  const refunds = Math.max(hazards.owner.refunds, 0.6);
  return { ...hazards, service: { ...hazards.service, ...quirks }, owner: { ...hazards.owner, refunds } };
}

/**
 * In one seed of ten the shop refuses us for a while. `random` must be a separate stream, so that all other seeds stay the same.
 */
export function addRefusals(hazards: Hazards, random: Random): Hazards {
  if (!happens(random, 1 / 10)) return hazards;
  const lastsMs = pick(random, [10 * SECOND, 36 * SECOND, 10 * MINUTE, 10 * MINUTE, 3 * HOUR]);
  return { ...hazards, store: { ...hazards.store, refuses: { fromMs: randomMs(random, 20 * MINUTE), lastsMs } } };
}

/** Every third owner allows automatic refunds. `random` must be a separate stream, so that all other choices of a seed stay the same. */
export function chooseAutoRefund(random: Random): readonly AutoRefundReason[] {
  return happens(random, 1 / 3) ? ["duplicate", "order_gone", "order_not_payable"] : [];
}

/** Returns a function that picks one of `values` with the given probability, and returns `otherwise` in all other cases. */
function createSometimes(random: Random) {
  return <Value>(probability: number, otherwise: Value, values: readonly [Value, ...Value[]]): Value =>
    happens(random, probability) ? pick(random, values) : otherwise;
}

// An outage of a day is rare because it makes a history long.
function randomOutage(random: Random): { fromMs: number; lastsMs: number } {
  const lastsMs = happens(random, 0.02) ? 24 * HOUR : pick(random, [5 * MINUTE, 40 * MINUTE]);
  return { fromMs: randomMs(random, 15 * MINUTE), lastsMs };
}
