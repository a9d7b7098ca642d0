const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Every bound of the companion, in one place. Times in milliseconds. */
export const wooLimits = {
  /** Of one request; all requests of one call of the adapter are sent within the engine's `storeCallMs`. */
  readMs: 5 * SECOND,
  writeMs: 14 * SECOND,
  /** The longest life of a request in flight at such a shop: nobody writes again before it is over. */
  settleAfterMs: 120 * SECOND,
  answerBytes: 4 * 1024 * 1024,
  pluginAnswerBytes: 1024 * 1024,
  /** Requests to one shop at the same time; the others wait their turn. */
  requestsAtOnce: 50,
  /** How long, and of how many orders, what was just read is good enough for the plugin to compare. */
  toldOrderMs: 5 * SECOND,
  toldOrders: 500,
  /** Refunds of an order that are looked through; WooCommerce lists ten unless it is asked for more, and never more than these. */
  listedRefunds: 100,
  /** The sweep of unsettled orders: pages of a hundred, and how many of them. */
  sweepPageRows: 100,
  sweepPages: 100,
  sweepEveryMs: 24 * HOUR,
  firstSweepMs: 60 * SECOND,
  /** How far back a sweep looks: well beyond a session's life and the time of grace. */
  sweepBackMs: 7 * 24 * HOUR,
  /** Bodies of calls from the plugin, and of WooCommerce's own webhooks, which hold a whole order. */
  callBytes: 64 * 1024,
  hintBytes: 1024 * 1024,
  /** The health panel sends one delivery through the public address in so long. */
  roundTripEveryMs: 10 * SECOND,
  roundTripMs: 10 * SECOND,
  /** How long a page or a call of the plugin waits. */
  payMs: 10 * SECOND,
  checkMs: 15 * SECOND,
  /** Payments of one order that one check reads anew. */
  checkedPayments: 10,
  titleItems: 3,
} as const;
