const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** All limits of the checkout server. Times in milliseconds. */
export const wooLimits = {
  /** Time limits of one request. All requests of one adapter call are sent within the engine's `storeCallMs`. */
  readMs: 5 * SECOND,
  writeMs: 14 * SECOND,
  /** The longest time after which an unanswered request can still take effect. No new write is sent before this time is over. */
  settleAfterMs: 120 * SECOND,
  restResponseBytes: 4 * 1024 * 1024,
  /** A list of orders comes through the plugin where the shop has no REST key. */
  pluginResponseBytes: 4 * 1024 * 1024,
  /** Concurrent requests to one shop. Further requests wait. */
  concurrentRequests: 50,
  /** How long an order that was just read may serve as the condition of a write, and how many orders are remembered. */
  recentOrderMs: 5 * SECOND,
  recentOrders: 500,
  /** Refunds requested in one list. WooCommerce returns 10 by default and 100 at most. */
  listedRefunds: 100,
  /** Lists of unpaid orders: rows of one page, and pages of one sweep. */
  sweepPageRows: 100,
  sweepPages: 100,
  sweepIntervalMs: 24 * HOUR,
  firstSweepDelayMs: 60 * SECOND,
  /** How old a changed order may be for the sweep. Longer than the lifetime of a session and its grace period. */
  sweepWindowMs: 7 * 24 * HOUR,
  /** Body sizes: calls of the plugin, and WooCommerce's own webhooks, which contain a whole order. */
  callBytes: 64 * 1024,
  shopWebhookBytes: 1024 * 1024,
  /** How long `close` waits for a running sweep. The next sweep covers the same orders. */
  closeMs: 10 * SECOND,
  /** The webhook round trip of the health panel: its interval and its time limit. */
  roundTripIntervalMs: 10 * SECOND,
  roundTripMs: 10 * SECOND,
  /** How often a process reads pairings that another one may have made, when it meets a signature that it does not know. */
  pairingReadMs: 5 * SECOND,
  pairMs: 10 * SECOND,
  pairingFormBytes: 4 * 1024,
  /** How long a `check` call waits for the payment service. */
  checkMs: 15 * SECOND,
  /** How long a `decide` call waits. The decision itself is kept and continued. */
  decideMs: 20 * SECOND,
  /** Payments of one order that one check reads from the service, the newest ones. */
  paymentsPerCheck: 10,
  itemsInTitle: 3,
} as const;
