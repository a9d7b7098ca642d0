const SECOND = 1_000;

/** Every limit of the plugin. Times in milliseconds. */
export const pluginLimits = {
  /** A second request for the same refund within this time counts as a double click. */
  doubleClickMs: 5 * SECOND,
  /** How often the pending refunds in Vendure are compared with the ledger. */
  pendingRefundsEveryMs: 5 * SECOND,
  /** The largest number of pending refunds in one comparison. */
  pendingRefunds: 100,
  /** The header Retry-After of a request that arrives before the checkout is open, in seconds. */
  retryAfterSeconds: 5,
  /** The largest number of order lines that the hosted page names. */
  describedLines: 50,
  /** The largest number of payments in a list of the dashboard. */
  listedPayments: 50,
  /** The number of unpaid orders that the daily reconciliation reads with one query. */
  ordersPerPage: 100,
  /** The decimals of every amount in Vendure, whatever the currency, unless Vendure's money strategy sets another number. */
  decimals: 2,
} as const;
