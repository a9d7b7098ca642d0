import type { AutoRefundReason } from "@tillkit/core";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

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

export const NO_QUIRKS: ServiceQuirks = {
  emptyReads: 0,
  emptyReadsPeriod: null,
  staleMs: 0,
  rejectsRetries: 0,
  omitsIds: 0,
  listLagMs: 0,
  declined: 0,
};

export const PASSIVE_OWNER = { statuses: 0, shopRefunds: 0, repeatsClicks: false } as const;

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
