import type { AutoRefundReason } from "@tillkit/core";
import { MINUTE, SECOND } from "./durations.ts";
import { type MoneyHazards, NO_MONEY_HAZARDS } from "./money-hazards.ts";
import { NO_TIME_HAZARDS, type TimeHazards } from "./time-hazards.ts";

/**
 * The faults of one history. A number whose name ends in `Ms` is a duration, `orders`, `kills` and `copies` are counts, and every
 * other number is a probability from 0 to 1.
 */
export type Hazards = {
  readonly faultPeriodMs: number;
  readonly orders: number;
  /** The probability that a process dies at one of its calls. */
  readonly crash: number;
  /** The number of kills at random times. */
  readonly kills: number;
  /** The maximum clock skew of a process. */
  readonly skewMs: number;
  readonly service: {
    /** The probability that a call fails without an effect. */
    readonly down: number;
    /** The probability that a call takes effect and its answer is lost. */
    readonly lost: number;
    /** The probability that the service refuses to open a session. */
    readonly refused: number;
    /** Session reads without some of their fields. */
    readonly partialReads: number;
    readonly latencyMs: number;
    readonly outage: { readonly fromMs: number; readonly lastsMs: number } | null;
    readonly failedRefunds: number;
    readonly pendingRefunds: number;
  } & ServiceQuirks;
  readonly webhooks: {
    readonly lost: number;
    /** The number of times that each event is sent. */
    readonly copies: number;
    /** Whether each copy of an event has an id of its own. */
    readonly freshIds: boolean;
    /** The longest delay of a webhook. */
    readonly lateMs: number;
    /** Events that name no session, reference or transaction. */
    readonly withoutIds: number;
    readonly forged: number;
    readonly unrelated: number;
  };
  readonly store: {
    readonly latencyMs: number;
    /** Writes that are rejected, lost or late. */
    readonly faults: number;
    readonly down: number;
    /** A period in which the shop refuses every request: its plug-in is off, a firewall blocks us or its token is revoked. */
    readonly refuses: { readonly fromMs: number; readonly lastsMs: number } | null;
  };
  /** `freezes`: the probability that a process pauses before a call to the ledger, continues, and has lost its leases meanwhile. */
  readonly ledger: { readonly latencyMs: number; readonly fails: number; readonly freezes: number };
  readonly owner: {
    /** The owner changes the order's total. */
    readonly edits: number;
    /** The owner cancels the order or takes cash for it. */
    readonly closes: number;
    /** The owner refunds one of the order's payments. */
    readonly refunds: number;
    /** The owner refunds a session in the service's dashboard. */
    readonly dashboard: number;
    /** The owner accepts or refunds held and duplicate payments. */
    readonly decides: number;
    /** The owner looks at a payment and decides up to an hour later. */
    readonly hesitates: number;
    /** The owner sets any status that the shop offers. */
    readonly statuses: number;
    /** The owner refunds the order in the shop, without naming a payment. */
    readonly shopRefunds: number;
    /** The owner clicks every button again hours or days later. */
    readonly repeatsClicks: boolean;
    /** The reasons for which the owner allows automatic refunds. */
    readonly autoRefund: readonly AutoRefundReason[];
  };
  /** Payments with a wrong amount, currency, account, environment or reference. */
  readonly wrong: number;
  readonly account: string | null;
  /** Whether the webhook secret and the reference key are rotated once. */
  readonly rotates: boolean;
  readonly money: MoneyHazards;
  readonly time: TimeHazards;
};

/** Rare behaviour of a real service, besides being slow and down. */
export type ServiceQuirks = {
  /** The probability that a read of an existing object answers 404, 403 or nothing. */
  readonly emptyReads: number;
  /** A period in which all reads answer 404, 403 or nothing. */
  readonly emptyReadsPeriod: { readonly fromMs: number; readonly lastsMs: number } | null;
  /** How long after an event a read may return the state before the event. */
  readonly staleMs: number;
  /** The probability that the repetition of a successful write is rejected. */
  readonly rejectsRetries: number;
  /** The probability that the answer to a successful write lacks the id. */
  readonly omitsIds: number;
  /** How long lists lack new rows. */
  readonly listLagMs: number;
  /** The probability that a session names a declined attempt as its transaction. */
  readonly declined: number;
} & RefundQuirks;

/** How a real service leaves open whether it made a refund. */
export type RefundQuirks = {
  /** The probability that the answer to a refund is lost and every repetition of its request is rejected. */
  readonly lostRefunds: number;
  /** The probability that lists skip the row of a refund, as the second page does when rows leave the first page. */
  readonly hiddenRefunds: number;
  /** The probability that the amount in the row of a refund cannot be read. */
  readonly unreadableRefunds: number;
  /** How far the service's clock is ahead in the rows of refunds. Negative: the clocks of the processes are ahead of the service's. */
  readonly refundClockMs: number;
};

export const NO_QUIRKS: ServiceQuirks = {
  emptyReads: 0,
  emptyReadsPeriod: null,
  staleMs: 0,
  rejectsRetries: 0,
  omitsIds: 0,
  listLagMs: 0,
  declined: 0,
  lostRefunds: 0,
  hiddenRefunds: 0,
  unreadableRefunds: 0,
  refundClockMs: 0,
};

export const PASSIVE_OWNER = { statuses: 0, shopRefunds: 0, hesitates: 0, repeatsClicks: false } as const;

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
  store: { latencyMs: 100, faults: 0, down: 0, refuses: null },
  ledger: { latencyMs: 0, fails: 0, freezes: 0 },
  owner: { ...PASSIVE_OWNER, edits: 0, closes: 0, refunds: 0, dashboard: 0, decides: 0, autoRefund: [] },
  wrong: 0,
  account: null,
  rotates: false,
  money: NO_MONEY_HAZARDS,
  time: NO_TIME_HAZARDS,
};
