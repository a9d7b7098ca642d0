const SECOND = 1_000;

/** The limits of a WooCommerce shop and its REST API. Times in milliseconds. */
export const wooLimits = {
  /** Time limits of one request. All requests of one adapter call are sent within the engine's `storeCallMs`. */
  readMs: 5 * SECOND,
  writeMs: 14 * SECOND,
  /** An unanswered request can take effect up to this long after it was sent. No new write is sent before this time is over. */
  settleAfterMs: 120 * SECOND,
  restResponseBytes: 4 * 1024 * 1024,
  /** Concurrent requests to one shop. Further requests wait. */
  concurrentRequests: 50,
  /** An order that was read within this time is not read again before it is marked paid; so many such orders are remembered. */
  recentOrderMs: 5 * SECOND,
  recentOrders: 500,
  /** Refunds requested in one list. WooCommerce returns 10 by default and 100 at most. */
  listedRefunds: 100,
  /** Lists of unpaid orders: rows of one page, and pages of one sweep. */
  sweepPageRows: 100,
  sweepPages: 100,
  /** The size of WooCommerce's own webhooks, which contain a whole order. */
  shopWebhookBytes: 1024 * 1024,
  /** Items that the title of a payment names. Further items become "…". */
  itemsInTitle: 3,
} as const;
