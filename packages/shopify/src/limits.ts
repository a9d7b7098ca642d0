const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every limit of the app server. Times in milliseconds. */
export const shopifyLimits = {
  /** A signed query that is older than this is rejected. */
  queryMaxAgeMs: 90 * SECOND,
  /** The largest difference between our clock and the clock of the issuer of a session token. */
  clockSkewMs: 10 * SECOND,
  /** The time in which the owner accepts the permissions on Shopify's grant page. */
  oauthStateLifeMs: 10 * MINUTE,
  /** How long the owner of a shop stays signed in on the settings page. */
  ownerSessionLifeMs: 2 * HOUR,
  /** The time in which a link from the admin's frame to the settings page must be opened. */
  ticketLifeMs: 5 * MINUTE,
  /** An access token is renewed this long before it expires. */
  renewBeforeMs: 5 * MINUTE,
  /** One process renews a token under a lease of this length. The other processes poll until it is done. */
  renewLeaseMs: 20 * SECOND,
  renewPollMs: 250,
  /** The timeout of one request. A renewal and a second attempt still end within the 20 s that one adapter call may take. */
  callTimeoutMs: 6 * SECOND,
  /** The longest time in which a key that an owner saves is checked at the service. */
  keyCheckMs: 8 * SECOND,
  /** The longest wait for Shopify's throttle inside one call. For a longer wait the circuit of the shop opens. */
  longestThrottleWaitMs: 2 * SECOND,
  /** A call that Shopify throttles is sent at most this often. */
  throttleAttempts: 3,
  /** The circuit of a shop opens after this many failed calls in a row, and stays open longer after each further failure. */
  failuresToOpenCircuit: 3,
  circuitOpenFirstMs: 5 * SECOND,
  circuitOpenLongestMs: MINUTE,
  /** The largest body that Shopify may answer with. */
  responseBytes: 4 * 1024 * 1024,
  /** The largest bodies that we read: of a session request, of a webhook (a whole order), of the settings form. */
  sessionBytes: 64 * 1024,
  webhookBytes: 2 * 1024 * 1024,
  formBytes: 16 * 1024,
  /** Shopify refuses a pending payment that expires later than in three days. */
  longestPendingMs: 3 * DAY - MINUTE,
  /** Shopify refuses to resolve a payment until it has received our answer to its last post. The mutation is repeated for this long. */
  lostAnswerMs: 15 * MINUTE,
  /** The times of repeated posts are kept this long: longer than `lostAnswerMs`. */
  postLifeMs: DAY,
  /** How long the customer of a payment session is kept, to fill in the hosted page, and how often older ones are removed. */
  customerLifeMs: HOUR,
  customerPruneEveryMs: 5 * MINUTE,
  /** How often the ledger is read for a refund in progress. */
  refundPollMs: 5 * SECOND,
  /** When the service is read for a refund in progress, counted from its request; after the last time at a fixed interval. */
  refundSyncScheduleMs: [15, 30, 60, 120, 300].map((seconds) => seconds * SECOND),
  refundSyncEveryMs: 10 * MINUTE,
  /** How often the service is read for a refund that the owner made on an order and that is in progress. */
  orderRefundSyncEveryMs: 5 * MINUTE,
  /** How often a shop is searched for refunds whose webhook was lost, and how much of the time before the last search is read again. */
  refundSearchEveryMs: 15 * MINUTE,
  refundSearchOverlapMs: HOUR,
  /** How far back the first search of a shop reads, and a search after a long pause. Shopify shows an app no older orders. */
  refundLookBackMs: 7 * DAY,
  refundLongestLookBackMs: 60 * DAY,
  /** When a refund of a shop that uninstalled the app is tried again. */
  uninstalledRetryMs: HOUR,
  /** The keys of finished tasks are kept this long, to recognize requests and webhooks that come again. */
  finishedTaskLifeMs: 30 * DAY,
  /** Shopify allows 30 days for an erasure. Payments that are not final yet are tried again after this time. */
  eraseRetryMs: 12 * HOUR,
  /** A write to an order whose answer was lost may take effect until this time has passed. */
  settleAfterMs: 60 * SECOND,
  /** No write to an order starts later than this after the call began, so that it ends before another writer may start. */
  lastWriteMs: 13 * SECOND,
  /** Orders per page, and pages per search. */
  orderPageSize: 20,
  orderPages: 100,
  /** How often orders without a pay link are searched, and how far back. */
  payLinkEveryMs: 5 * MINUTE,
  payLinkLookBackMs: 2 * DAY,
  /** How often orders without a payment are reconciled with the service, and how far back. */
  reconcileEveryMs: DAY,
  reconcileLookBackMs: 7 * DAY,
  /** A shopper may come from the thank-you page before the order exists. The order is read again after these waits. */
  newOrderWaitsMs: [500, 1_000, 2_000],
  /** Orders that one IP address may look up in one window. */
  lookupsPerWindow: 20,
  lookupWindowMs: MINUTE,
  /** How often a row is read and written again when another process changed it in between. */
  writeAttempts: 8,
  /** Notices on the settings page, and how long a notice is kept. */
  ownerNotices: 50,
  ownerNoticeLifeMs: 365 * DAY,
  /** Former names of a shop's payment method that are remembered. */
  formerGateways: 20,
  /** How often the daily tasks run, and how long after the start they run for the first time. */
  dailyMs: DAY,
  firstDailyMs: MINUTE,
  /** How often the PEM files of `listen.tls` are read again. */
  tlsReloadEveryMs: MINUTE,
  /** The log warns this long before Shopify's support of our API version ends. */
  versionWarningMs: 60 * DAY,
} as const;

/** The waits between attempts of one mutation that Shopify's documentation recommends: about a day in all. */
export const MUTATION_RETRY_SCHEDULE_MS: readonly number[] = [
  ...[5, 10, 30, 45].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 12, 38].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 4, 4, 4, 4].map((hours) => hours * HOUR),
];
