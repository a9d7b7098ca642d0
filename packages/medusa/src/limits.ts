const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

/** Every bound of the plugin, in one place. Times in milliseconds. */
export const pluginLimits = {
  /** How long a link back to the shop works: well beyond a session's life and the time of grace. */
  returnLinkMs: 30 * DAY,
  /** The same refund asked for again this soon is a second click, not a second wish. */
  secondClickMs: 5 * SECOND,
  /** A round of work begins this often … */
  roundMs: SECOND,
  /** … and another beside it when one takes longer than this: a slow service must not hold up everything. */
  overtakeMs: 2 * SECOND,
  roundsAtOnce: 4,
  /** How long a shutdown waits for work under way. */
  closeMs: 10 * SECOND,
  /** How long one process waits for another that is registering the webhook, and how often it looks. */
  registerWaitMs: 30 * SECOND,
  registerLookMs: 500,
  /** The body of a webhook has to arrive in this time. */
  bodyMs: 10 * SECOND,
  /** How long a refund that the service is working on is watched before Medusa is answered. */
  refundWatchMs: 4 * SECOND,
  refundWatchEveryMs: 500,
  titleItems: 3,
  /** Rows on one page of the admin. */
  pageRows: 20,
} as const;
