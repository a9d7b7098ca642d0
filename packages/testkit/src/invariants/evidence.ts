import type { Environment, Money, OrderRef, Payment, PaymentState, TimelineEntry, WriteClass } from "@tillkit/core";
import type { StatusChange } from "../stores/miniature-store.ts";

/**
 * What a run left behind, gathered long after its last fault: from the shop, the service, the ledger and the outside. Plain
 * data, so that every test can fill it, also one that looks into other processes. All times in milliseconds since 1970; a
 * list that a test cannot fill is empty, a fact that it does not know is null.
 */
export type Evidence = {
  /** When the last fault ended: everything that is owed is owed from then on. */
  readonly faultsEndedAt: number;
  readonly gatheredAt: number;
  readonly orders: readonly OrderEvidence[];
  readonly sessions: readonly SessionEvidence[];
  readonly refunds: readonly RefundEvidence[];
  readonly decisions: readonly RefundDecision[];
  readonly recordedRefunds: readonly RecordedRefund[];
  readonly payAttempts: readonly PayAttempt[];
  readonly payments: readonly Payment[];
  readonly timeline: readonly TimelineEntry[];
  readonly stateChanges: readonly StateChange[];
  readonly deadJobs: readonly DeadJob[];
  readonly webhooks: readonly WebhookEvidence[];
  readonly calls: readonly CallEvidence[];
  /** Calls made because bodies were delivered again whose payment had reached its end. */
  readonly redeliveryCalls: number;
  /** Every line that left a process: logs, errors, stories, traces. */
  readonly output: readonly string[];
  /** What must be in none of these lines: keys, secrets, e-mails, phones, card numbers that were used. */
  readonly secrets: readonly string[];
};

/** An order as anybody sees it who stands in the shop. */
export type OrderEvidence = {
  readonly ref: OrderRef;
  readonly writes: WriteClass;
  /** Waits between tries that the platform itself asks for, where it asks for any. */
  readonly retryScheduleMs?: readonly number[] | undefined;
  /** Every time goods left; `total` is what the order cost then, null when that was no exact amount. */
  readonly effects: readonly { readonly paymentId: string; readonly total: Money | null; readonly at: number }[];
  /** What it cost from when on, oldest first. */
  readonly totals: readonly { readonly total: Money; readonly from: number }[];
  /** Since when nobody may pay it any more: cancelled, sold out, paid by something else. */
  readonly closedAt: number | null;
  /** Tries (`Payment.attempt`) that the platform itself no longer takes. */
  readonly closedAttempts: readonly string[];
  /** What the owner sees marked as needing a look, and notes; null where the shop shows none. */
  readonly holds: readonly string[] | null;
  /** Every status that the order took; left out where the shop has none that its owner sets. */
  readonly statuses?: readonly StatusChange[] | undefined;
  /** The payment that the shop names on it at the end, where that can be seen: also of one that its owner had set to paid. */
  readonly namedPayment?: string | null | undefined;
  /** At the end the order is paid because its owner set it so, and the shop names no payment on it. */
  readonly isPaidManually?: boolean | undefined;
  readonly notes: readonly string[] | null;
};

/** What the service knows of a session. Amounts in the wire's unit. */
export type SessionEvidence = {
  readonly id: string;
  /** The Idempotency-Key it was opened under: the payment's id. */
  readonly paymentId: string;
  readonly wireAmount: number;
  readonly currency: string;
  readonly reference: string;
  readonly account: string | null;
  readonly environment: Environment;
  readonly completedAt: number | null;
  readonly expiresAt: number;
};

/** One decision to refund, however often its button was clicked. */
export type RefundDecision = {
  /** What is to be refunded, and how much. */
  readonly subject: string;
  /** The payment that was named; null: the owner refunded the order in the shop, which shows one. */
  readonly paymentId: string | null;
  /** What the order showed as its payment when it was decided. */
  readonly shownPaymentId: string | null;
  /** Every key under which it was asked for. */
  readonly keys: readonly string[];
};

/** What a store, or whoever asked, was told of a refund. */
export type RecordedRefund = {
  readonly paymentId: string;
  readonly refundId: string;
  readonly status: "completed" | "failed";
  readonly minor: number;
};

/** A shopper pressed pay. */
export type PayAttempt = {
  readonly orderId: string;
  /** Null: no answer came. */
  readonly status: "redirect" | "paid" | "held" | null;
  /** Whether any session of the order had been completed by then. */
  readonly hasMoney: boolean;
  /** The faults were over for ten minutes, and the shop still offered the order for payment. */
  readonly mustSucceed: boolean;
};

/** A refund that the service made, ours or one from its dashboard. `key` is null for the latter. */
export type RefundEvidence = {
  readonly id: string;
  readonly paymentId: string;
  readonly key: string | null;
  readonly wireAmount: number;
  readonly status: "pending" | "completed" | "failed";
  readonly completedAt: number | null;
};

export type StateChange = {
  readonly paymentId: string;
  readonly from: PaymentState;
  readonly to: PaymentState;
  readonly at: number;
};

/** Work that nobody does any more until a person looks. */
export type DeadJob = { readonly kind: string; readonly paymentId: string | null; readonly reason: string };

/** One webhook that was handed to us, and what we answered (null: nothing was heard). */
export type WebhookEvidence = {
  readonly at: number;
  readonly status: number | null;
  /** Signed by the service with a secret that counts. */
  readonly genuine: boolean;
  /** A row of the ledger holds exactly these bytes. */
  readonly stored: boolean;
  /** false: it reports something else than that the payment succeeded. */
  readonly reportsSuccess?: boolean;
  /** The payment that it can lead to, null when it names none of ours. */
  readonly paymentId: string | null;
};

/** Calls to the service about one payment, and what gave reason for them. */
export type CallEvidence = {
  readonly paymentId: string;
  readonly opens: number;
  readonly reads: number;
  /** How often shoppers of its order pressed pay. */
  readonly starts: number;
  /** How many of these got no answer: whoever presses again has everything done again. */
  readonly unanswered: number;
  /** A shopper waited on our page, which looks on its own. */
  readonly watched: boolean;
  /** Accepted events, shoppers' returns, questions of the shop, decisions of the owner. */
  readonly signals: number;
  /** Work that was done again because of a fault, or because somebody else was faster. */
  readonly retries: number;
};

/** To spread what a test knows over. */
export const emptyEvidence: Evidence = {
  faultsEndedAt: 0,
  gatheredAt: Number.POSITIVE_INFINITY,
  orders: [],
  sessions: [],
  refunds: [],
  decisions: [],
  recordedRefunds: [],
  payAttempts: [],
  payments: [],
  timeline: [],
  stateChanges: [],
  deadJobs: [],
  webhooks: [],
  calls: [],
  redeliveryCalls: 0,
  output: [],
  secrets: [],
};
