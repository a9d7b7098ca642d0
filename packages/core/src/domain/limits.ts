const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Every bound of the engine, in one place. Times in milliseconds.
 *
 * Why these: policy A of the service's API (live) allows 10,000 calls a day. 1,000 checkouts of which 700 are abandoned cost
 * 700 × 11 + 300 × 5 = 9,200 calls: one creation and ten scheduled reads, or one creation and four reads.
 */
export const limits = {
  /** An open session is offered again only with at least this much life left. */
  reuseSessionMs: 10 * MINUTE,
  /** A session of which nobody says when it expires lives as long as the service's default. */
  sessionLifeMs: HOUR,
  /** The service keeps an Idempotency-Key for 24 hours; a POST is repeated only well within that. */
  keyLifeMs: 23 * HOUR,
  /** Scheduled reads after the payment was created … */
  checksAfterStartMs: [2, 11, 20, 29, 38, 47, 56].map((minutes) => minutes * MINUTE),
  /** … and never further apart than this, while its session lives … */
  longestCheckGapMs: 9 * MINUTE,
  /** … and after its session lapsed. */
  checksAfterExpiryMs: [MINUTE, 24 * HOUR, 72 * HOUR],
  /** How long after its session lapsed a payment may still succeed: the last scheduled read. */
  graceMs: 72 * HOUR,
  /** Reads while a shopper waits on our page, counted from the first look; then one every `watchEveryMs`. */
  watchReadsMs: [1, 2, 4, 8, 15, 30].map((seconds) => seconds * SECOND),
  watchEveryMs: 30 * SECOND,
  watchMs: 10 * MINUTE,
  /** A reading younger than this serves everybody who looks at the same payment. */
  sharedReadingMs: 3 * SECOND,
  /** A payment that is verified is read anew so rarely while its store cannot be told. */
  completedReadingMs: HOUR,
  /** How many payments one process remembers readings and waiting shoppers of. */
  watchedPayments: 10_000,
  serviceCallMs: 15 * SECOND,
  shopperCallMs: 5 * SECOND,
  storeCallMs: 20 * SECOND,
  /** How long a request whose answer was lost may still land at a store that refuses older writes by itself. */
  lateWriteMs: 2 * MINUTE,
  /** How far the clocks of two processes on one ledger may differ; a host whose clock differs by more does no work. */
  clockSkewMs: 30 * SECOND,
  orderLeaseMs: 60 * SECOND,
  jobLeaseMs: 90 * SECOND,
  /** When a verified payment is confirmed anew, for the case that whoever verified it died: after a store call is over. */
  confirmAgainMs: 22 * SECOND,
  /** How soon is looked again when somebody else holds the order: about as long as a look at a quick store takes. */
  orderBusyMs: 500,
  retryFirstMs: 2 * SECOND,
  /** With jitter still below two minutes: that soon after an outage a paid order is marked. */
  retryLongestMs: 90 * SECOND,
  /** About three days of tries, as long as grace; then a person has to look. */
  retries: 3_000,
  /** After verifyPayment said "paid" to a platform that asked, the platform gets this long to finish by itself. */
  platformFinishesMs: 5 * SECOND,
  /** A platform hears that money is under way once a try has lasted this long: a card that is declined is declined by then. */
  pendingAfterMs: 30 * SECOND,
  /** How often one call starts over because another process committed first. */
  commitRounds: 8,
  /** So many different payments in a row without an answer, and nobody calls for a while … */
  breakerOpensAt: 3,
  /** … which doubles up to a minute: that soon after an outage work goes on. */
  breakerFirstMs: 5 * SECOND,
  breakerLongestMs: 60 * SECOND,
  /** Work that one store has under way in one process: as many calls as a small shop stands at once. */
  storeJobsAtOnce: 50,
  jobsPerStore: 10,
  jobsARound: 20,
  /** A thin event names no payment: at most this many open payments of its credential are looked at. */
  thinEventReads: 10,
  /** After a refund was sent for the last time it is in the service's lists this soon, or it was never made. */
  refundSettlesMs: 10 * MINUTE,
  /** How soon a refund that the service is still working on is read again; then later and later. Some take days. */
  refundCheckMs: 10 * MINUTE,
  refundCheckLongestMs: 6 * HOUR,
  /** The service lists refunds of all payments together: at most this many are looked through for one payment's. */
  refundsLookedThrough: 2_000,
  /** Transactions of one session's time looked through for the one that carries our reference. */
  transactionsLookedThrough: 2_000,
  /** How often a payment is read again that succeeded according to an event: while its session does not show it … */
  successReads: 12,
  /** … and while the service answers nothing about it: with the longest wait between two tries, about three hours. */
  unreadableReads: 130,
  /** Payments read anew in one sweep over the orders that a store has not settled. */
  sweepReads: 200,
  titleLength: 255,
  deliveryBytes: 256 * 1024,
} as const;

/**
 * When a payment is read next by the timer; null once grace is over. A session that was opened long after its payment was
 * begun (its opener died) has missed the times after the start: it gets as many reads, from now on. Times in milliseconds
 * since 1970; `checks` counts the scheduled reads so far.
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
  if (session === null) return createdAt + limits.keyLifeMs > now ? createdAt + limits.keyLifeMs : null;
  const times = [
    ...limits.checksAfterStartMs.map((after) => createdAt + after).filter((at) => at < session.expiresAt),
    ...limits.checksAfterExpiryMs.map((after) => session.expiresAt + after),
  ];
  const next = times.find((at) => at > now) ?? null;
  const mayAdd = now < session.expiresAt && checks < limits.checksAfterStartMs.length;
  return mayAdd ? Math.min(next ?? session.expiresAt, now + limits.longestCheckGapMs) : next;
}
