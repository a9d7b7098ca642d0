const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Every bound of the server. Times in milliseconds, lengths in characters. */
export const serverLimits = {
  /** Shorter keys could be guessed. */
  minKeyLength: 32,
  /** Longer than a proxy keeps an idle connection: otherwise the proxy sends into a connection that is being closed. */
  keepAliveTimeoutMs: 75 * SECOND,
  /** The connections of one server. More than the bodies that are read at once, so that a connection without a request makes room. */
  maxConnections: 2_000,
  /** How long `/metrics` waits for the counts of the ledger; counting a large ledger is slow. */
  countTimeoutMs: 10 * SECOND,
  /** Counts that take longer than this are cached. */
  quickCountMs: 100,
  /** How long a shopper's request waits for the store to return the address of its page, and for the store to return the order. */
  shopUrlTimeoutMs: 3 * SECOND,
  findOrderTimeoutMs: 10 * SECOND,
  /** How long a waiting page's question is held while nothing changes, and how often the ledger is read meanwhile. */
  statusHoldMs: 6 * SECOND,
  statusLookMs: 2 * SECOND,
  /** When the page asks again after its question was held. */
  askAgainMs: 250,
  /** A held question keeps its connection from making room, so that most connections stay free for webhooks. */
  maxHeldAnswers: 500,
  /** Without JavaScript a waiting page reloads this often, and more slowly once the shopper waited `slowRefreshAfterMs`. */
  refreshMs: 5 * SECOND,
  slowRefreshMs: 30 * SECOND,
  slowRefreshAfterMs: 10 * MINUTE,
  /** How long an operator stays logged in. */
  operatorSessionLifetimeMs: 12 * 60 * MINUTE,
  /** How long a link that logs an operator in once may wait. */
  loginLinkLifetimeMs: 60 * MINUTE,
  /** Each logout checks this many rows of logged-out sessions, and removes the expired rows. */
  endedSessionsPerCleanup: 200,
  /** An IP address may send this many wrong tokens in the window; then it has to wait for the next window. */
  maxLoginAttempts: 10,
  loginWindowMs: 10 * MINUTE,
  maxAttemptAddresses: 10_000,
  maxFormBytes: 8 * 1024,
  maxFormFields: 20,
  /** When a sender for whose body there was no room may try again. */
  bodyRetryAfterSeconds: 1,
  maxOperatorNameLength: 60,
  /** How long an operator waits for the outcome of a decision. Its execution continues after that. */
  decisionTimeoutMs: 8 * SECOND,
  /** Rows of a list on the operators' pages, and of each kind on the overview. */
  rowsPerPage: 50,
  rowsPerOverview: 10,
  /** With more stores, operators type the id of a store instead of choosing it from a list. */
  maxListedStores: 200,
  /** Operators see a paid order that the store has not recorded after this time. */
  stuckAfterMs: 10 * MINUTE,
  /** Operators see a job that has failed this often, which takes about ten minutes. */
  failingAfterAttempts: 10,
  /** A job that has been due for this long, and that no process has claimed, is alerted. */
  unclaimedAfterMs: 10 * MINUTE,
  /** How often alerts are checked, and the least time between two messages unless set otherwise. */
  alertCheckIntervalMs: 5 * SECOND,
  alertIntervalMs: 15 * MINUTE,
  /** An open dispute is alerted again this long before its deadline for evidence. */
  disputeWarningMs: 48 * 60 * MINUTE,
  /** Rows of each kind that one check reads, and sent alerts that are remembered. */
  maxAlertRows: 200,
  maxSentAlerts: 1_000,
  /** An outage that lasts is alerted again after this time. */
  outageReminderMs: 6 * 60 * MINUTE,
  /** A store that refuses us is alerted once it has done so for this long, and each day again: an update of its plug-in takes seconds. */
  refusalAlertMs: MINUTE,
  refusalReminderMs: 24 * 60 * MINUTE,
  /** The time for one try to send, the lease of the process that sends, and the delays after failures. */
  alertSendTimeoutMs: 20 * SECOND,
  alertLeaseMs: 2 * MINUTE,
  alertRetryMs: 30 * SECOND,
  alertRetryMaxMs: 15 * MINUTE,
  /** Shorter secrets of the alert webhook could be guessed. */
  minAlertSecretLength: 16,
  /** Days until personal data is removed. Fewer than the minimum would touch payments that may still change. */
  defaultRetentionDays: 90,
  minRetentionDays: 7,
  dayMs: 24 * 60 * MINUTE,
  /** The delay of the first daily reconciliation after a start, and the age of the oldest orders that a reconciliation lists. */
  firstReconcileDelayMs: 5 * MINUTE,
  reconcileLookBackMs: 7 * 24 * 60 * MINUTE,
  /** The delay of the first pruning after a start, the rows per step, and the pause between steps, in which other work runs. */
  firstPruneDelayMs: 2 * MINUTE,
  rowsPerPrune: 500,
  prunePauseMs: 200,
  /** The rows of a ledger that one step of an archive looks at. Other processes write between the steps. */
  rowsPerArchive: 2_000,
  /** A transaction that the ledger does not know is searched with the API keys of this many newest payments, but with no more keys than this. */
  maxSearchedPayments: 200,
  maxSearchedCredentials: 20,
  /** The operators' pages count rows up to this number, and add up refunds of a period up to this many. */
  maxCountedRows: 10_000,
  maxSummedRefunds: 500,
  /** Payments that a settlement compares with the service, with a few calls for every 200 payments. */
  maxSettledPayments: 2_000,
  /** Dead-letter jobs that one click retries. */
  maxRetriedJobs: 500,
  /** The API keys that are tried when a server starts, and how long the service may take to answer. */
  maxTriedKeys: 20,
  keyTrialTimeoutMs: 5 * SECOND,
  /** How often processes on one ledger compare their signing keys, and how long the keys of a process that ended are remembered. */
  keyComparisonIntervalMs: 5 * MINUTE,
  keysRememberedMs: 15 * MINUTE,
  maxComparedKeys: 50,
  /** The newest webhooks in which the endpoints' last deliveries are looked for, and how long a test event may take. */
  maxEndpointDeliveries: 500,
  endpointTestTimeoutMs: 10 * SECOND,
  /** The newest attempts of the service to deliver a webhook, and how long the service may take to list them. */
  maxShownAttempts: 25,
  endpointReadTimeoutMs: 5 * SECOND,
  /** Stores that their owners connected: rows of one list, and tries of a write that other processes make too. */
  rowsPerStoreList: 500,
  registryWriteAttempts: 5,
  /** Pages of all stores' disputes that are read for one page of an owner. */
  pagesPerOwnList: 20,
  /** How long an invitation may wait for its shop, and a link of a shop's owner for its click. */
  invitationLifetimeMs: 30 * 24 * 60 * MINUTE,
  ownerLinkLifetimeMs: MINUTE,
  /** How long a shop's request for such a link is remembered: longer than its signature is valid. */
  ownerRequestMemoryMs: 15 * MINUTE,
} as const;
