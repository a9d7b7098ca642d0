const SECOND = 1_000;

/** Every limit of the plugin. Times in milliseconds. */
export const pluginLimits = {
  /** The same refund requested again within this time counts as a double click. */
  doubleClickMs: 5 * SECOND,
  /** How often pending refunds in Vendure are compared with the ledger, and how many at once. */
  pendingRefundsEveryMs: 5 * SECOND,
  pendingRefunds: 100,
  /** What a request before the checkout is open is told to wait, in seconds. */
  retryAfterSeconds: 5,
  /** Lines of an order that the hosted page names. */
  describedLines: 50,
  /** Payments of one list in the dashboard. */
  listedPayments: 50,
  /** Unpaid orders that the daily reconciliation reads at once. */
  ordersPerPage: 100,
  /** Decimals of an amount in Vendure, in every currency, unless its money strategy says otherwise. */
  decimals: 2,
} as const;
