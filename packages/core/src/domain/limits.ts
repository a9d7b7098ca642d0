import { exponentialBackoff, type Job, type JobKind, readTask } from "./job.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Every bound of the engine, in one place. Times in milliseconds.
 *
 * The schedule of reads fits the service's limit of 10,000 calls a day for a live key (`packages/client/API.md#rate-limits`).
 * An abandoned checkout costs 11 calls (one creation and ten scheduled reads), a paid one usually 3 and at most 5, or 6 where three signals
 * cross before it is known how it was paid. 1,000 checkouts, 700 of them abandoned, cost at most 700 × 11 + 300 × 5 = 9,200 calls.
 */
export const limits = {
  /** An open session is offered to the shopper again only if it lives at least this much longer. */
  reuseSessionMs: 10 * MINUTE,
  /** The service's default session lifetime, used when its response names no expiry. */
  sessionLifeMs: HOUR,
  /** A POST is repeated only within this time. The service keeps an Idempotency-Key for 24 hours. */
  keyLifeMs: 23 * HOUR,
  /**
   * A refund requested longer ago than this is read before it is sent again: a clock that was corrected meanwhile may hide that the
   * service has dropped the key.
   */
  sendAgainUnreadMs: HOUR,
  /** Times of the scheduled reads, counted from the payment's creation. */
  checksAfterStartMs: [2, 11, 20, 29, 38, 47, 56].map((minutes) => minutes * MINUTE),
  /** The longest gap between two scheduled reads while the session is open. */
  maxCheckGapMs: 9 * MINUTE,
  /** Times of the scheduled reads, counted from the session's expiry. */
  checksAfterExpiryMs: [MINUTE, 24 * HOUR, 72 * HOUR],
  /** How long after its session's expiry a payment may still succeed. The last scheduled read happens then. */
  graceMs: 72 * HOUR,
  /**
   * How much longer a payment is read whose session could not be read at the end of `graceMs`, and how often: a key may be refused
   * for days, and a response that shows nothing proves nothing.
   */
  unreadableMs: 30 * DAY,
  unreadableCheckMs: 12 * HOUR,
  /** Wait before a rule asks again which transaction paid, where the service does not say it: a person may have to. */
  namingCheckMs: HOUR,
  /** Times of the reads while a shopper waits on our page, counted from the first poll; later reads come every `watchEveryMs`. */
  watchReadsMs: [1, 2, 4, 8, 15, 30].map((seconds) => seconds * SECOND),
  watchEveryMs: 30 * SECOND,
  /** The reads for a waiting shopper end this long after the first poll. */
  watchMs: 10 * MINUTE,
  /** All callers that verify the same payment share one reading until it is this old. */
  sharedReadingMaxAgeMs: 3 * SECOND,
  /** How old the reading of a verified payment may be while the write to its store is retried. */
  verifiedReadingMaxAgeMs: HOUR,
  /** How old the reading of a transaction may be that only says how the shopper paid, and how long an order waits for it at most. */
  providerMaxAgeMs: DAY,
  providerCallMs: 2 * SECOND,
  /** Size of each of the process's caches: of readings, of waiting shoppers, and of API keys with their clients. */
  maxCachedEntries: 10_000,
  /** The longest duration of one call: to the service, to the service while a shopper waits, and to a store. */
  serviceCallMs: 15 * SECOND,
  shopperCallMs: 5 * SECOND,
  storeCallMs: 20 * SECOND,
  /** How old the last reading of shop and ledger may be when a decision is committed. Longer than `storeCallMs`. */
  decisionReadMs: 40 * SECOND,
  /** How long after its intent was committed a write to a store must start. `clockSkewMs` covers it. */
  writeStartsMs: 10 * SECOND,
  /** How long after it was sent a request without a response may still take effect at a store that itself rejects older writes. */
  lateWriteMs: 2 * MINUTE,
  /** How long a write to a store stays unanswered at most: it is tried again within minutes. */
  unansweredWriteMs: DAY,
  /** How far the clocks of two processes on one ledger may differ. A host whose clock differs by more runs no jobs. */
  clockSkewMs: 30 * SECOND,
  /**
   * How far the service's clock may differ from ours where refunds are compared by time. A refund of ours that looks older than its
   * request would count as somebody else's, and the money would go back twice.
   */
  serviceClockSkewMs: 24 * HOUR,
  /** Leases are renewed every third of their time, in whole milliseconds, while the work runs. After a crash the work continues this much later. */
  orderLeaseMs: 12 * SECOND,
  jobLeaseMs: 15 * SECOND,
  /** When a verified payment is confirmed a second time, in case the first process died. Longer than `storeCallMs`. */
  reconfirmAfterMs: 22 * SECOND,
  /** Wait before a job tries again when another worker holds the order's lease: about the time of one fast store call. */
  orderBusyRetryMs: 500,
  retryFirstMs: 2 * SECOND,
  /** Below two minutes even with jitter, so a paid order is marked within two minutes after an outage. */
  retryMaxMs: 90 * SECOND,
  /** Below a minute even with jitter: a shop is often down for minutes, and asking it again costs no budget of the service. */
  storeRetryMaxMs: 45 * SECOND,
  /**
   * The longest wait of a job for its next attempt, where no schedule of its own sets the time: longer than every backoff, and than the
   * wait after a write whose answer was lost.
   */
  longestRetryMs: 5 * MINUTE,
  /** The longest wait that the retry schedule of a platform prescribes. */
  platformRetryMaxMs: 4 * HOUR,
  /** How often each process looks for jobs that a clock ahead of time has scheduled. */
  clockCorrectionMs: 30 * SECOND,
  /**
   * After this many attempts a job that fails becomes a dead-letter job. A job that an open circuit breaker refuses is tried up to
   * three times a minute, and an outage of three days, as long as `graceMs`, must not use up its attempts.
   */
  maxJobAttempts: 15_000,
  /** How long after a lost or late answer of a store its order is compared with the ledger. Longer than any write takes to settle. */
  compareAfterMs: 10 * MINUTE,
  /** How often it is compared again, and how long after the last that happened to its payment: a write may take effect later than it may. */
  compareAgainMs: 20 * MINUTE,
  comparedForMs: 90 * MINUTE,
  /** How long a platform that called verifyPayment and got "paid" has to complete the order itself. */
  platformFinishesMs: 5 * SECOND,
  /** A store is told that a payment is pending once the attempt has lasted this long. Most declined cards are declined sooner. */
  pendingAfterMs: 30 * SECOND,
  /** How many times one call starts over after another process committed first. */
  maxCommitAttempts: 8,
  /** A circuit breaker opens after calls for this many different payments in a row have failed. */
  breakerOpensAt: 3,
  /** How long a circuit breaker stays open at first. The time grows by `outageGrowth` with each failed probe, up to `breakerMaxMs`. */
  breakerFirstMs: 2 * SECOND,
  breakerMaxMs: 50 * SECOND,
  /** Growth of the waits during an outage of the service: the next try comes after at most half of the outage's length so far. */
  outageGrowth: 1.5,
  /** A call that was refused while another call probes is tried again this much later. */
  breakerProbeMs: SECOND,
  /**
   * A store that refuses us is tried every `probeFirstMs` for `probeOftenMs`, then after a tenth of the time for which it has refused us,
   * at most `probeMaxMs`. A job that waits for it asks every `blockedCheckMs` whether it gave a sign of life meanwhile. After such a sign
   * it is tried at once, but not within `signProbeMs` after a refusal. A refusal that nobody has tried for `untriedMs` is forgotten.
   */
  probeFirstMs: 20 * SECOND,
  probeOftenMs: 12 * MINUTE,
  probeMaxMs: 15 * MINUTE,
  blockedCheckMs: 45 * SECOND,
  signProbeMs: 5 * SECOND,
  untriedMs: HOUR,
  /** Concurrency limit for one store in one process: the number of parallel calls that a small shop can serve. */
  concurrentJobsPerStore: 50,
  /**
   * The jobs of hosts under way at once, of all stores and of one: however many of them wait, and however slow a platform is, the jobs
   * about payments have room.
   */
  hostJobsAtOnce: 100,
  concurrentHostJobsPerStore: 10,
  /** At most this many jobs of one store are claimed at once, so that one store cannot fill a whole run. */
  claimedJobsPerStore: 10,
  jobsPerRun: 20,
  /** An event may name no payment. Then at most this many open payments of its credential are verified. */
  maxEventCandidates: 10,
  /** A refund that the service does not show this long after its last request was never made, if the transaction's refunded amount agrees. */
  refundSettlesMs: 10 * MINUTE,
  /** A refund is sent within this time after its state was read. Another process that finds nothing may settle it as never made later. */
  refundSendMs: 2 * MINUTE,
  /** Wait before a pending refund is read again. The wait doubles up to `refundCheckMaxMs`: some refunds take days. */
  refundCheckMs: 10 * MINUTE,
  refundCheckMaxMs: 6 * HOUR,
  /** How often a pending refund is read while a store waits for its result. */
  refundPollMs: 500,
  /** A store's request for a refund that arrives within this time after the answer to the same request counts as a double click. */
  doubleClickMs: 5 * SECOND,
  /** A refund that a store booked longer ago than this is compared with the refunds at the service before it is paid. */
  promptRefundMs: 10 * MINUTE,
  /** How long an automatic refund may take before the merchant is asked to decide about the payment. */
  autoRefundNoteMs: 15 * MINUTE,
  /**
   * From this age on the refunds of a payment are read before its order is marked paid: its money may have been sent back from the
   * service's dashboard meanwhile. A session lives for an hour, so few payments are that late, and an outage of an hour makes none of
   * them late: its payments need the whole budget of calls.
   */
  refundsReadAfterMs: 2 * HOUR,
  /** How many refunds are scanned for those of one payment: the service lists the refunds of all payments together. */
  maxRefundsScanned: 2_000,
  /** How many transactions of a session's lifetime are scanned for the transaction with our reference. */
  maxTransactionsScanned: 2_000,
  /** At most this many transactions are offered to the person who says which of them paid a payment. */
  maxTransactionCandidates: 20,
  /** Among how many of the newest open payments those are searched that an event without ids may be about. */
  maxOpenPaymentsSearched: 500,
  /**
   * For how long a mark that was read, or refused, tells how the service treats the `reason` of a refund. A service may change; after
   * this time refunds are read with care again, and the mark is sent again.
   */
  markMemoryMs: 30 * DAY,
  /** A mark that is read again within this time changes nothing in the ledger. */
  markReadAgainMs: DAY,
  /** How many times a payment is read after a success event while its session does not show the success yet. */
  maxSuccessReads: 12,
  /**
   * How many times a payment is read while the service returns no usable response: about three hours with the longest wait. A payment
   * of which an event reported success or a refund is then read every `unreadableCheckMs`.
   */
  maxUnreadableReads: 130,
  /** A key that the service refuses is named in the log at most this often. */
  keyAlarmMs: 5 * MINUTE,
  /** How many payments one reconciliation of a store reads. */
  maxReconcileReads: 200,
  /** The longest Idempotency-Key that the service takes, in characters. */
  maxKeyLength: 255,
  maxTitleLength: 255,
  maxDescriptionLength: 1_000,
  maxCustomerFieldLength: 200,
  /** How many addresses of possible copies are kept for a store. */
  maxCopies: 20,
  maxDeliveryBytes: 256 * 1024,
  /** The operators' charts measure delays on this many of the newest payments and webhooks. */
  measuredPayments: 1_000,
  /** A page that shows a payment's money waits this long for the service's refunds. */
  viewReadMs: 8 * SECOND,
  /** The name of a person who decides, in the timeline. */
  maxPersonNameLength: 60,
  /** A reason why a refund counts as settled outside the service needs at least this many characters. */
  shortestReason: 4,
  /** How long a payment that a dispute took back stays among those that wait for a person, after the dispute's last change. */
  lostPaymentShownMs: 30 * DAY,
  /** Ended disputes, and jobs of refunds, among which payments that wait for a person are looked for. */
  disputesToDecide: 100,
  refundJobsToDecide: 100,
} as const;

/**
 * The time of a payment's next scheduled read; null once `graceMs` is over. A session that was opened long after its payment was
 * created (the first process died) has missed the early times. It gets the same number of reads, counted from now. Times in
 * milliseconds since 1970; `checks` counts the scheduled reads so far.
 */
export function nextCheck(
  payment: {
    readonly createdAt: number;
    readonly session: { readonly expiresAt: number } | null;
    readonly checks: number;
  },
  now: number,
): number | null {
  const { createdAt, session, checks } = payment;
  if (session === null) {
    // A clock that was ahead may have created the payment in the future.
    const keyEndsAt = Math.min(createdAt, now) + limits.keyLifeMs;
    return keyEndsAt > now ? keyEndsAt : null;
  }
  const times = [
    ...limits.checksAfterStartMs.map((delayMs) => createdAt + delayMs).filter((at) => at < session.expiresAt),
    ...limits.checksAfterExpiryMs.map((delayMs) => session.expiresAt + delayMs),
  ];
  const planned = times.find((at) => at > now);
  // A payment that a clock months ahead has dated is read until then as well, though seldom.
  const next = planned === undefined ? null : Math.min(planned, now + limits.graceMs);
  const mayAddRead = now < session.expiresAt && checks < limits.checksAfterStartMs.length;
  return mayAddRead ? Math.min(next ?? session.expiresAt, now + limits.maxCheckGapMs) : next;
}

/**
 * The moment after which nothing may be sent under a key that was first used at `usedAt`, because the service may have dropped it. Nobody
 * knows the age of a key that a clock ahead has dated in the future: nothing is sent under it.
 */
export function keySendBy(usedAt: number, now: number): number {
  return usedAt > now + limits.clockSkewMs ? Number.NEGATIVE_INFINITY : usedAt + limits.keyLifeMs;
}

/** What the due time of a job depends on, besides the job itself. */
type ScheduledPayment = Parameters<typeof nextCheck>[0] & { readonly storeRetryAt: number | null };

/**
 * The latest time at which a job can legitimately be due. A job that is due later was scheduled by a clock that was ahead, and would
 * wait until the corrected clock arrives there. `payment` is the job's payment; null for a job without one.
 */
export function latestDueAt(
  job: Pick<Job, "payload" | "attempts"> & { readonly kind: JobKind },
  payment: ScheduledPayment | null,
  now: number,
): number {
  return Math.max(now + limits.longestRetryMs, LATEST_DUE_AT[job.kind]?.(job, payment, now) ?? now);
}

type LatestDueAt = (job: Pick<Job, "payload" | "attempts">, payment: ScheduledPayment | null, now: number) => number;

/** Null: a job of this kind waits for nothing but its next attempt. */
const LATEST_DUE_AT: Readonly<Record<JobKind, LatestDueAt | null>> = {
  confirm: latestConfirmAt,
  refund: (job, _payment, now) =>
    now + exponentialBackoff(limits.refundCheckMs, limits.refundCheckMaxMs, Math.max(job.attempts, 1)),
  note: (_job, _payment, now) => now + limits.autoRefundNoteMs,
  hold: (_job, _payment, now) => now + limits.autoRefundNoteMs,
  delivery: null,
  "auto-refund": (_job, _payment, now) => now + limits.namingCheckMs,
  pending: null,
  refuse: null,
  reopen: null,
  compare: (_job, _payment, now) => now + limits.compareAgainMs,
};

function latestConfirmAt(
  { payload, attempts }: Pick<Job, "payload" | "attempts">,
  payment: ScheduledPayment | null,
  now: number,
): number {
  if (payment === null) return now;
  const unreadableAt = now + limits.unreadableCheckMs;
  const checkAt = "at" in readTask("confirm", payload) ? (nextCheck(payment, now) ?? unreadableAt) : now;
  const reportedAt = attempts >= limits.maxUnreadableReads ? unreadableAt : now;
  // No platform prescribes a later retry. `confirmPayment` corrects such a time.
  const isScheduled = payment.storeRetryAt !== null && payment.storeRetryAt <= now + limits.platformRetryMaxMs;
  return Math.max(checkAt, reportedAt, isScheduled ? payment.storeRetryAt : now);
}
