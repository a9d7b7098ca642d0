import { type AutoRefundReason, limits, type Random } from "@tillkit/core";
import { happens, pick, randomMs } from "./random-choice.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What goes wrong in one history, how often and for how long. Shares from 0 to 1, times in milliseconds. */
export type Hazards = {
  readonly faultPeriodMs: number;
  readonly orders: number;
  /** How likely one of our processes dies at one call out of itself. */
  readonly crash: number;
  /** How often a process is killed at some moment, whatever it does. */
  readonly kills: number;
  /** How far the clocks of our processes are off, and whether they jump on the way. */
  readonly skewMs: number;
  readonly service: {
    readonly down: number;
    readonly lost: number;
    readonly refused: number;
    /** Readings that do not say everything. */
    readonly partialReads: number;
    readonly latencyMs: number;
    readonly outage: { readonly fromMs: number; readonly lastsMs: number } | null;
    readonly failedRefunds: number;
    readonly pendingRefunds: number;
  } & ServiceQuirks;
  readonly webhooks: {
    readonly lost: number;
    readonly copies: number;
    readonly freshIds: boolean;
    readonly lateMs: number;
    readonly withoutIds: number;
    readonly forged: number;
    readonly unrelated: number;
  };
  readonly store: {
    readonly latencyMs: number;
    /** Writes that are refused, get lost or land late. */
    readonly faults: number;
    readonly down: number;
  };
  /** `freezes`: how often a process sleeps past its leases before a call to the ledger, and goes on as if nothing had been. */
  readonly ledger: { readonly latencyMs: number; readonly fails: number; readonly freezes: number };
  readonly owner: {
    readonly edits: number;
    readonly closes: number;
    readonly refunds: number;
    readonly dashboard: number;
    readonly decides: number;
    /** Sets any status that the shop offers. */
    readonly statuses: number;
    /** Refunds in the shop, where nobody names a payment. */
    readonly shopRefunds: number;
    /** Clicks every button again hours or days later. */
    readonly repeatsClicks: boolean;
    /** What the owner lets the engine give back by itself. No hazard, but a temptation. */
    readonly autoRefund: readonly AutoRefundReason[];
  };
  /** Payments that are not what they should be: amount, currency, account, environment. */
  readonly wrong: number;
  readonly account: string | null;
  readonly rotates: boolean;
};

/** What the service of a real merchant does beside being slow and down. */
export type ServiceQuirks = {
  /** Reads of what it has that answer 404, 403 or nothing: now and then … */
  readonly emptyReads: number;
  /** … or all of them for a time. */
  readonly emptyReadsPeriod: { readonly fromMs: number; readonly lastsMs: number } | null;
  /** How long after an event a read may still show the state before it. */
  readonly staleMs: number;
  /** Repeats of a write that landed are refused. */
  readonly rejectsRetries: number;
  /** Writes that land and are answered without the id. */
  readonly omitsIds: number;
  /** How long lists lack what is new. */
  readonly listLagMs: number;
  /** Sessions that name a declined try as their transaction. */
  readonly declined: number;
};

const NO_QUIRKS: ServiceQuirks = {
  emptyReads: 0,
  emptyReadsPeriod: null,
  staleMs: 0,
  rejectsRetries: 0,
  omitsIds: 0,
  listLagMs: 0,
  declined: 0,
};

const PASSIVE_OWNER = { statuses: 0, shopRefunds: 0, repeatsClicks: false } as const;

export const NO_HAZARDS: Hazards = {
  faultPeriodMs: 70 * MINUTE,
  orders: 1,
  crash: 0,
  kills: 0,
  skewMs: 0,
  service: {
    ...NO_QUIRKS,
    down: 0,
    lost: 0,
    refused: 0,
    partialReads: 0,
    latencyMs: 200,
    outage: null,
    failedRefunds: 0,
    pendingRefunds: 0,
  },
  webhooks: { lost: 0, copies: 1, freshIds: false, lateMs: SECOND, withoutIds: 0, forged: 0, unrelated: 0 },
  store: { latencyMs: 100, faults: 0, down: 0 },
  ledger: { latencyMs: 0, fails: 0, freezes: 0 },
  owner: { ...PASSIVE_OWNER, edits: 0, closes: 0, refunds: 0, dashboard: 0, decides: 0, autoRefund: [] },
  wrong: 0,
  account: null,
  rotates: false,
};

/** One seed in twelve is quiet; every other one has some of the hazards, so that each is met alone and with all others. */
export function chooseHazards(random: Random): Hazards {
  const orders = pick(random, [1, 1, 2]);
  const account = pick(random, [null, null, "acct_member"]);
  if (happens(random, 1 / 12)) return { ...NO_HAZARDS, orders, account };
  const some = <Value>(share: number, calm: Value, values: readonly [Value, ...Value[]]) =>
    happens(random, share) ? pick(random, values) : calm;
  return {
    faultPeriodMs: pick(random, [20 * MINUTE, 70 * MINUTE]),
    orders,
    account,
    crash: some(0.4, 0, [0.003, 0.02]),
    kills: some(0.3, 0, [1, 3]),
    skewMs: some(0.2, 0, [SECOND, 5 * SECOND, limits.clockSkewMs / 2]),
    service: {
      ...NO_QUIRKS,
      down: some(0.3, 0, [0.1, 0.5]),
      lost: some(0.3, 0, [0.1, 0.3]),
      refused: some(0.05, 0, [0.3]),
      partialReads: some(0.1, 0, [0.3]),
      latencyMs: some(0.4, 200, [10, 4 * SECOND, 20 * SECOND]),
      outage: some<Hazards["service"]["outage"]>(0.1, null, [outage(random)]),
      failedRefunds: some(0.3, 0, [0.5]),
      pendingRefunds: some(0.3, 0, [0.5]),
    },
    webhooks: {
      lost: some(0.5, 0, [0.3, 1]),
      copies: some(0.4, 1, [2, 3]),
      freshIds: happens(random, 0.3),
      lateMs: some(0.5, SECOND, [30 * SECOND, 20 * MINUTE]),
      withoutIds: some(0.2, 0, [0.5]),
      forged: some(0.2, 0, [0.5]),
      unrelated: some(0.2, 0, [0.5]),
    },
    store: {
      latencyMs: some(0.7, 100, [500, 1_500, 2_400, 4 * SECOND]),
      faults: some(0.5, 0, [0.3, 0.7]),
      down: some(0.2, 0, [0.3]),
    },
    ledger: { latencyMs: some(0.3, 0, [20, 2 * SECOND]), fails: some(0.15, 0, [0.01, 0.05]), freezes: 0 },
    owner: {
      ...PASSIVE_OWNER,
      edits: some(0.3, 0, [0.3]),
      closes: some(0.15, 0, [0.3]),
      refunds: some(0.3, 0, [0.6]),
      dashboard: some(0.1, 0, [0.5]),
      decides: some(0.5, 0, [0.7]),
      autoRefund: [],
    },
    wrong: some(0.15, 0, [0.3, 1]),
    rotates: happens(random, 0.15),
  };
}

/**
 * What is hard about this world beside that, in two seeds of three. `random` is one of its own: what else goes wrong under a
 * seed stays what it was.
 */
export function addRareHazards(hazards: Hazards, random: Random): Hazards {
  if (happens(random, 1 / 3)) return hazards;
  const some = <Value>(share: number, calm: Value, values: readonly [Value, ...Value[]]) =>
    happens(random, share) ? pick(random, values) : calm;
  const longOutage = {
    fromMs: randomMs(random, 15 * MINUTE),
    lastsMs: pick(random, [25 * HOUR, 50 * HOUR, 72 * HOUR]),
  };
  const emptyReadsPeriod = { fromMs: randomMs(random, 20 * MINUTE), lastsMs: pick(random, [10 * MINUTE, HOUR]) };
  const service = {
    emptyReads: some(0.2, 0, [0.1, 0.4]),
    emptyReadsPeriod: some<ServiceQuirks["emptyReadsPeriod"]>(0.1, null, [emptyReadsPeriod]),
    staleMs: some(0.3, 0, [2 * SECOND, 10 * SECOND]),
    rejectsRetries: some(0.2, 0, [0.5, 1]),
    omitsIds: some(0.15, 0, [0.2, 0.6]),
    listLagMs: some(0.2, 0, [10 * SECOND, MINUTE]),
    declined: some(0.2, 0, [0.5]),
  };
  const owner = {
    statuses: some(0.3, 0, [0.3, 0.7]),
    shopRefunds: some(0.25, 0, [0.5]),
    repeatsClicks: happens(random, 0.4),
  };
  // Days are rare, because they are long.
  const outage = happens(random, 0.01) ? longOutage : hazards.service.outage;
  const ledger = { ...hazards.ledger, freezes: some(0.15, 0, [0.002, 0.01]) };
  return {
    ...hazards,
    ledger,
    service: { ...hazards.service, ...service, outage },
    owner: { ...hazards.owner, ...owner },
  };
}

/** Every third owner has made a rule. `random` is one of its own: what else goes wrong under a seed stays what it was. */
export function chooseAutoRefund(random: Random): readonly AutoRefundReason[] {
  return happens(random, 1 / 3) ? ["duplicate", "order_gone", "order_not_payable"] : [];
}

// A day is rare, because it is long.
function outage(random: Random): { fromMs: number; lastsMs: number } {
  const lastsMs = happens(random, 0.05) ? 24 * HOUR : pick(random, [5 * MINUTE, 40 * MINUTE]);
  return { fromMs: randomMs(random, 15 * MINUTE), lastsMs };
}
