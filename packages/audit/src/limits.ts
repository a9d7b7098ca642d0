const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every bound of the audit. Times in milliseconds. */
export const auditLimits = {
  /** What is younger is still under way: a webhook may be delivered, a worker may be about to write. */
  graceMs: 10 * MINUTE,
  /** A platform may create an order up to so long after its payment, because it creates orders of paid carts only. */
  orderAfterPaymentMs: DAY,
  /** A payment that resembles an unpaid order arrived at most so long after the order, and at most so long before it. */
  resembleAfterMs: 3 * DAY,
  resembleBeforeMs: 10 * MINUTE,
  /** A payment that resembles an order shown as paid is at most so far from the time of payment. */
  resemblePaidMs: DAY,
  /** Orders are read from so long before the period: an order may be paid weeks after it was placed. */
  ordersBeforeMs: 45 * DAY,
  /** Movements are read from so long before the period, and orders and movements until so long after it. */
  movementsBeforeMs: 3 * DAY,
  marginAfterMs: 3 * DAY,
  /** Without `--from`, an audit looks at so many days. */
  defaultPeriodMs: 90 * DAY,
  /** What an audit reads again: a payment may complete, and a refund may end, days after it was made. */
  recheckMs: 3 * DAY,
  /** What a guard reads again in each round, and how often it reads as much again as an audit. */
  guardRecheckMs: 2 * HOUR,
  guardDeepMs: 6 * HOUR,
  /** A guard alerts of what it has seen for so long. */
  alertAfterMs: 10 * MINUTE,
  /** The lease of an alert that is being sent, and the wait after one that was not taken. */
  alertLeaseMs: 2 * MINUTE,
  alertRetryMs: MINUTE,
  /** Findings that the page of a guard lists of each state. */
  guardRows: 500,
  /** How far a balance may be from the sum of what moved it, per movement, before it is called a difference: rounding of fees. */
  roundingPerMovement: 1,
  /** A payment may be created so long before it completes, so near a reading of the balance it may count on either side. */
  balanceEdgeMs: 2 * HOUR,
  /** Calls of one key that an audit makes in a day at most, so that the shop keeps some. */
  callsPerDay: 8_000,
  /** Rows of one page of the service and of a shop. */
  pageRows: 100,
  /** The longest wait for one call, with its place in the queue of the key's budget. */
  callDeadlineMs: 15 * MINUTE,
  /** Sessions that are read one by one, because their payments name no order. */
  sessionsRead: 200,
  /** Delivery logs that are read of each webhook endpoint, for disputes. */
  deliveryLogs: 2_000,
  /** The body of one page of a shop. */
  pageBytes: 32 * 1024 * 1024,
  shopDeadlineMs: 60_000,
  /** How often a shop's page is tried. */
  shopAttempts: 5,
  /** Facts that one statement stores. */
  factsPerWrite: 500,
  factsPerRead: 1_000,
  /** How often a shop is read whole, and not only what changed. */
  wholeReadMs: 7 * DAY,
  /** Findings that the HTML file lists of each kind; the CSV holds all. */
  listedFindings: 200,
} as const;
