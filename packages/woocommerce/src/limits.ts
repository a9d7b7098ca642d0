const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** All limits of the checkout server. Times in milliseconds. */
export const wooLimits = {
  /** Time limits of one request. All requests of one adapter call are sent within the engine's `storeCallMs`. */
  readMs: 5 * SECOND,
  writeMs: 14 * SECOND,
  /** An unanswered request can take effect up to this long after it was sent. No new write is sent before this time is over. */
  settleAfterMs: 120 * SECOND,
  restResponseBytes: 4 * 1024 * 1024,
  /** A list of orders comes through the plugin where the shop has no REST key. */
  pluginResponseBytes: 4 * 1024 * 1024,
  /** Concurrent requests to one shop. Further requests wait. */
  concurrentRequests: 50,
  /** An order that was read within this time is not read again before it is marked paid; so many such orders are remembered. */
  recentOrderMs: 5 * SECOND,
  recentOrders: 500,
  /** Characters of a note that the plugin adds. A longer text ends with the last of them. */
  noteCharacters: 4_000,
  /** Refunds requested in one list. WooCommerce returns 10 by default and 100 at most. */
  listedRefunds: 100,
  /** Lists of unpaid orders: rows of one page, and pages of one sweep. */
  sweepPageRows: 100,
  sweepPages: 100,
  sweepIntervalMs: 24 * HOUR,
  firstSweepDelayMs: 60 * SECOND,
  /** The sweep reads orders that changed within this time, which is longer than the lifetime of a session and its grace period. */
  sweepWindowMs: 7 * 24 * HOUR,
  /** Body sizes: calls of the plugin, and WooCommerce's own webhooks, which contain a whole order. */
  callBytes: 64 * 1024,
  shopWebhookBytes: 1024 * 1024,
  /** How long `close` waits for a running sweep. The next sweep covers the same orders. */
  closeMs: 10 * SECOND,
  /** The webhook round trip of the health panel: its interval and its time limit. */
  roundTripIntervalMs: 10 * SECOND,
  roundTripMs: 10 * SECOND,
  /** The shortest time between two readings of the stored pairings, which other processes may have changed. */
  pairingReadMs: 5 * SECOND,
  /** Shops of self-service that one process keeps ready. Others are read again when they are needed. */
  knownShops: 5_000,
  /** How long the service may take to answer about a key that an owner enters. */
  keyTrialMs: 10 * SECOND,
  /** How often shops that leave are looked at, and after how long their keys are wiped although a payment is not finished. */
  leavingCheckMs: HOUR,
  leavingMs: 30 * 24 * HOUR,
  /** Time limit of the request that exchanges a pairing code for a link secret. */
  pairMs: 10 * SECOND,
  /** How long one process alone may register the webhook of an endpoint. */
  registerLeaseMs: 120 * SECOND,
  /** Codes that one IP address may send in one window. */
  pairingAttempts: 10,
  pairingWindowMs: 600 * SECOND,
  pairingFormBytes: 4 * 1024,
  /** How long a `check` call waits for the payment service. */
  checkMs: 15 * SECOND,
  /** How long a `decide` call waits. The decision itself is kept and continued. */
  decideMs: 20 * SECOND,
  /** Payments of one order that one check reads from the service, the newest ones. */
  paymentsPerCheck: 10,
  /** Items that the title of a payment names. Further items become "…". */
  itemsInTitle: 3,
} as const;
