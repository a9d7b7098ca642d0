const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Every limit of the plugin. Times in milliseconds. */
export const pluginLimits = {
  /** How often the pending refunds in Vendure are compared with the ledger. */
  pendingRefundsEveryMs: 5 * SECOND,
  /** The number of pending refunds that the comparison reads with one query. */
  pendingRefundsPerPage: 100,
  /** How often the ledger is searched for refunds that Vendure does not show. */
  missingRefundsEveryMs: 15 * SECOND,
  /** How far back the first search after a start goes. */
  missingRefundsSinceMs: 30 * DAY,
  /** How far each later search overlaps with the search before it: the clocks of two servers may differ. */
  missingRefundsOverlapMs: 10 * MINUTE,
  /** When, after a start, and how often orders are searched that are paid and written as unpaid. */
  paidOrdersFirstMs: 5 * SECOND,
  paidOrdersEveryMs: 60 * MINUTE,
  /** The header Retry-After of a request that arrives before the checkout is open, in seconds. */
  retryAfterSeconds: 5,
  /** The largest number of order lines that the hosted page names. */
  describedLines: 50,
  /** The largest number of payments in a list of the dashboard. */
  listedPayments: 50,
  /** The dashboard lists a payment whose order does not show it once the payment is older than this. */
  stuckAfterMs: 10 * MINUTE,
  /** The number of unpaid orders that the daily reconciliation reads with one query. */
  ordersPerPage: 100,
  /** The decimals of every amount in Vendure, whatever the currency, unless Vendure's money strategy sets another number. */
  decimals: 2,
} as const;
