import type {
  Dispute,
  Environment,
  Money,
  OrderRef,
  Payment,
  PaymentState,
  Refund,
  TimelineEntry,
  WriteClass,
} from "@tillkit/core";
import type { PaidTransaction, StoredJob } from "@tillkit/core/ledger";
import type { StatusChange } from "../stores/miniature-store.ts";

/**
 * The final state of a run, collected long after its last fault from the shop, the service, the ledger and the output. It is plain
 * data, so that every test can fill it, also a test whose shop and server run in processes of their own. Times in milliseconds
 * since 1970. A test leaves the lists that it cannot fill empty and sets unknown facts to null.
 */
export type Evidence = {
  /** When the last fault ended. All deadlines count from then on. */
  readonly faultsEndedAt: number;
  readonly gatheredAt: number;
  /** A participant broke what the proof relies on: a few invariants hold nevertheless. */
  readonly isAxiomBroken?: boolean;
  /** The clock of our processes was wrong for a while, so that sessions seemed to be over, and reads to be due. */
  readonly wasClockWrong?: boolean;
  /** A process slept, so a request of ours may have taken effect long after it had settled for everybody else. */
  readonly wasAsleep?: boolean;
  /** Writes took minutes, or the key changed its account: some reads are made again. */
  readonly wasUnsteady?: boolean;
  /** How often a worker looked for due jobs and found none. */
  readonly emptyRuns?: number;
  /** The jobs that are left, with when each can be claimed. */
  readonly jobs: readonly StoredJob[];
  readonly orders: readonly OrderEvidence[];
  readonly sessions: readonly SessionEvidence[];
  readonly refunds: readonly RefundEvidence[];
  /** All completed transactions and disputes on the API key, also those of other integrations. Empty: not known. */
  readonly transactions: readonly TransactionEvidence[];
  readonly disputes: readonly DisputeEvidence[];
  readonly ledgerMoney: readonly LedgerMoney[];
  readonly moneyFacts: MoneyFacts;
  readonly memory: MemoryEvidence;
  readonly decisions: readonly RefundDecision[];
  readonly acceptances: readonly Acceptance[];
  readonly recordedRefunds: readonly RecordedRefund[];
  readonly payAttempts: readonly PayAttempt[];
  readonly payments: readonly Payment[];
  readonly timeline: readonly TimelineEntry[];
  readonly stateChanges: readonly StateChange[];
  readonly deadJobs: readonly DeadJob[];
  readonly webhooks: readonly WebhookEvidence[];
  readonly calls: readonly CallEvidence[];
  /** How many calls to the service were made because webhooks of finished payments were delivered again. */
  readonly redeliveryCalls: number;
  /** Every line that left a process: logs, errors, timeline entries, traces. */
  readonly output: readonly string[];
  /** The keys, secrets, e-mail addresses, phone numbers and card numbers that no line may contain. */
  readonly secrets: readonly string[];
};

/** An order as the shop itself shows it. */
export type OrderEvidence = {
  readonly ref: OrderRef;
  /** How the shop accepts writes, as its adapter declares. */
  readonly writes: WriteClass;
  /** The platform's retry schedule, if it has one. */
  readonly retryScheduleMs?: readonly number[] | undefined;
  /**
   * The shop's shipments, one for each time the order was marked paid. `total` is the order's total at that time, or null if the
   * owner had set a total with more decimals than the currency has.
   */
  readonly effects: readonly { readonly paymentId: string; readonly total: Money | null; readonly at: number }[];
  /** The order's totals with the times from which they applied, oldest first. */
  readonly totals: readonly { readonly total: Money; readonly from: number }[];
  /** Since when the order can no longer be paid: it was cancelled, sold out or paid by something else. */
  readonly closedAt: number | null;
  /** The attempts (`Payment.attempt`) that the platform no longer accepts. */
  readonly closedAttempts: readonly string[];
  /** The holds that the owner sees, or null if the shop shows none. */
  readonly holds: readonly string[] | null;
  /** Every status that the order took. Only for shops whose owner can set the status. */
  readonly statuses?: readonly StatusChange[] | undefined;
  /**
   * The payment that the order names at the end, also if its owner set the order to paid. Null if the order names no payment,
   * undefined if the shop does not show which payment an order names.
   */
  readonly namedPayment?: string | null | undefined;
  /** Whether the order is paid at the end because its owner set it to paid, and names no payment. */
  readonly isPaidManually?: boolean | undefined;
  /** Whether something else paid the order, whatever payment it names. */
  readonly isPaidOutside?: boolean | undefined;
  readonly notes: readonly string[] | null;
  /** The ids of the refunds that the order shows. Only for shops whose orders show refunds. */
  readonly refunds?: readonly string[] | undefined;
};

/** What the service knows of a session. Amounts are in the unit of the service's API. */
export type SessionEvidence = {
  readonly id: string;
  /** The session's Idempotency-Key, which is the payment's id. */
  readonly paymentId: string;
  readonly wireAmount: number;
  readonly currency: string;
  readonly reference: string;
  readonly account: string | null;
  readonly environment: Environment;
  readonly completedAt: number | null;
  readonly expiresAt: number;
};

/** A completed transaction at the service. `paymentId` is null for the money of another integration. */
export type TransactionEvidence = {
  readonly id: string;
  readonly code: string;
  readonly paymentId: string | null;
  readonly wireAmount: number;
};

/** A dispute at the service. */
export type DisputeEvidence = {
  readonly id: string;
  readonly paymentId: string | null;
  /** Whether the service accepted the event of a merchant's loss, or the dispute ended without an outcome. */
  readonly isLost: boolean;
};

/** What the ledger shows of a payment's money at the end. */
export type LedgerMoney = {
  readonly paymentId: string;
  readonly transactions: readonly PaidTransaction[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
};

/** What was committed to the ledger about money, in the order of the commits. */
export type MoneyFacts = {
  /** The transactions that payments named. */
  readonly namedTransactions: { readonly paymentId: string; readonly transactionId: string; readonly at: number }[];
  readonly refundCommits: RefundCommit[];
  /** What the ledger learned of disputes, and when. `isLost`: the dispute took money back. */
  readonly disputeReports: {
    readonly paymentId: string;
    readonly disputeId: string;
    readonly at: number;
    readonly isLost: boolean;
  }[];
  /** The refunds over a dispute that a person confirmed, with the disputed sum that the person saw. */
  readonly confirmations: { readonly key: string; readonly disputed: Money }[];
};

/** A refund that was committed, with what the ledger knew right before. */
export type RefundCommit = {
  readonly at: number;
  readonly key: string;
  readonly paymentId: string;
  readonly transactionId: string;
  readonly amount: Money;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
};

/** What must be known after a ledger was restored from a backup, or lost its rows. */
export type MemoryEvidence = {
  /** Null: the ledger lost nothing. */
  readonly restoredAt: number | null;
  /** The payments that a later event or a recovery named, with enough to recognize them. */
  readonly remembered: readonly string[];
  /** The refunds and disputes that accepted events reported since, with the payment of each. */
  readonly reported: readonly {
    readonly kind: "refund" | "dispute";
    readonly id: string;
    readonly paymentId: string;
  }[];
  /** Whether the service shows the `reason` of refunds as it was sent. */
  readonly keepsMarks: boolean;
  /** Whether the service's transactions name their session or our reference. Otherwise an event alone can name a further transaction. */
  readonly namesPayments: boolean;
  /** Until then the service's list of refunds hid rows. Milliseconds since 1970, 0: it never did. */
  readonly hiddenUntil: number;
};

/** One decision to refund, whatever the number of clicks. */
export type RefundDecision = {
  /**
   * The amount and the payment that the merchant meant, as one text. All clicks for one decision have the same subject, so decisions
   * are compared by their subjects.
   */
  readonly subject: string;
  /** The payment that the decision names, or null for a refund of the order in the shop. */
  readonly paymentId: string | null;
  /** The payment that the order showed at the time of the decision. */
  readonly shownPaymentId: string | null;
  /** Every key under which the refund was requested. */
  readonly keys: readonly string[];
  readonly origin?: Refund["origin"];
};

/** One click of an owner who accepts a held payment. `seen` is the `findingKey` of the difference that the page showed. */
export type Acceptance = { readonly paymentId: string; readonly seen: string; readonly at: number };

/** A refund as it was recorded in the store or returned to the caller. */
export type RecordedRefund = {
  readonly paymentId: string;
  readonly refundId: string;
  /** The key of the request, where it is known. */
  readonly key?: string;
  readonly status: "completed" | "failed";
  readonly minor: number;
  /** When the store was told; absent where no ledger is restored. */
  readonly at?: number;
};

/** A shopper started to pay. */
export type PayAttempt = {
  readonly orderId: string;
  /** Null if no answer came. */
  readonly status: "redirect" | "paid" | "held" | null;
  /** Whether any session of the order was completed at that time. */
  readonly hasCompletedSession: boolean;
  /** Whether the attempt must succeed: the faults ended ten minutes before, and the order was payable. */
  readonly mustSucceed: boolean;
};

/** A refund that the service made. `key` is null for a refund from the service's dashboard, `paymentId` is empty for a stranger's. */
export type RefundEvidence = {
  readonly id: string;
  readonly paymentId: string;
  readonly key: string | null;
  readonly wireAmount: number;
  readonly status: "pending" | "completed" | "failed";
  /** When the service made it. Absent: not known. */
  readonly madeAt?: number;
  readonly completedAt: number | null;
  /** The refunded transaction, where it is known. */
  readonly transactionId?: string;
};

export type StateChange = {
  readonly paymentId: string;
  readonly from: PaymentState;
  readonly to: PaymentState;
  readonly at: number;
};

/** A dead-letter job, which waits for a person. */
export type DeadJob = { readonly kind: string; readonly paymentId: string | null; readonly reason: string };

/** One webhook delivery and its response status, or null if no response arrived. */
export type WebhookEvidence = {
  readonly at: number;
  readonly status: number | null;
  /** Whether the service signed the delivery with a valid secret. */
  readonly genuine: boolean;
  /** Whether the ledger stores exactly these bytes. */
  readonly stored: boolean;
  /** False if the event reports something other than a successful payment. */
  readonly reportsSuccess?: boolean;
  /** Whether the ledger stored these bytes before the session was completed: they are processed once, so they tell nothing new. */
  readonly wasStoredBefore?: boolean;
  /** The payment that the event identifies, or null. */
  readonly paymentId: string | null;
};

/** The calls to the service for one payment, and the events that justify them. */
export type CallEvidence = {
  readonly paymentId: string;
  /** How often the creation of the session was requested. */
  readonly opens: number;
  /** How often the service was asked for the session's state. */
  readonly reads: number;
  /** How often shoppers started to pay the order. */
  readonly starts: number;
  /** How many starts were under way when the ledger was restored or its store erased, from when on all is counted anew. */
  readonly startsUnderWay?: number;
  /** How many of these starts got no answer. After such a start, the shopper's next start repeats all calls. */
  readonly unanswered: number;
  /** Whether a shopper waited on our page, which polls. */
  readonly watched: boolean;
  /** Accepted events, shoppers' returns, callbacks of the shop and decisions of the owner. */
  readonly signals: number;
  /** Work that was repeated because of a fault or a concurrent change. */
  readonly retries: number;
  /** How often the transactions of the payment were read. */
  readonly transactionReads?: number;
};

/** Evidence without facts, as a base for a test's evidence. */
export const emptyEvidence: Evidence = {
  faultsEndedAt: 0,
  // The end of time: every deadline has passed, so that no check is skipped.
  gatheredAt: Number.POSITIVE_INFINITY,
  jobs: [],
  orders: [],
  sessions: [],
  refunds: [],
  transactions: [],
  disputes: [],
  ledgerMoney: [],
  moneyFacts: { namedTransactions: [], refundCommits: [], disputeReports: [], confirmations: [] },
  memory: { restoredAt: null, remembered: [], reported: [], keepsMarks: true, namesPayments: true, hiddenUntil: 0 },
  decisions: [],
  acceptances: [],
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
