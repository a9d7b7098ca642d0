const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Every bound of the host, in one place. Times in milliseconds. */
export const hostLimits = {
  /** Shorter keys could be guessed. Characters. */
  keyLength: 32,
  /** Late money is looked for during 72 hours after a session's end: a shopper's link has to live well beyond that. */
  linkLifeMs: 30 * 24 * 60 * MINUTE,
  /** A delivery of 256 KB at most takes far less; whoever sends slower than this holds a connection for nothing. */
  bodyMs: 10 * SECOND,
  /** After a refusal the sender may finish its sentence for so long; then we hang up. */
  hangUpMs: 2 * SECOND,
  /** How often the timer looks for work while there is none. */
  roundMs: SECOND,
  /** Pieces of work begun in one go: between two goes whoever delivers a webhook or waits on a page is heard. */
  jobsAGo: 8,
  /** Pieces of work under way at once, of all stores: one call to a store takes up to 20 s, and a job makes two or three. */
  jobsAtOnce: 640,
  /** Deliveries go before work, but work does not wait for them longer than this. */
  workWaitsMs: 250,
  /** Longer than a proxy keeps an idle connection: else it would send into one that is just being closed. */
  keepAliveMs: 75 * SECOND,
  /** How long a closing host waits for the work under way. */
  closeMs: 10 * SECOND,
  /** A ledger that does not answer a health check within this is not healthy. */
  ledgerMs: 2 * SECOND,
  /** Counting a large ledger takes longer than reading a row. */
  countMs: 10 * SECOND,
  /** Counting that takes longer is not repeated for everybody who asks. */
  quickCountMs: 100,
  /** Ready for traffic: the timer was seen this recently, and no work waits longer than this. */
  timerSeenMs: 30 * SECOND,
  lagMs: 10 * MINUTE,
  /** How long a page waits for the shop's word on where its shopper goes … */
  shopUrlMs: 3 * SECOND,
  /** … and on the order itself. */
  findOrderMs: 10 * SECOND,
  /** Without JavaScript a waiting page opens itself anew so often, and rarely once the shopper waited `waitedLongMs`. */
  refreshMs: 5 * SECOND,
  lateRefreshMs: 30 * SECOND,
  waitedLongMs: 10 * MINUTE,
  /** How long an operator stays logged in. */
  operatorSessionMs: 12 * 60 * MINUTE,
  /** How many sessions that were logged out are looked at, at each logout, to forget those whose cookies expired. */
  endedSessionsARound: 200,
  /** So many wrong tokens of one address within the window, and it has to wait for the next one. */
  loginTries: 10,
  loginWindowMs: 10 * MINUTE,
  /** Addresses of wrong logins that are remembered. */
  loginAddresses: 10_000,
  /** Fields of an operator's form, and the name of the person who decides. Bytes, characters. */
  formBytes: 8 * 1024,
  operatorNameLength: 60,
  /** How long an operator waits for the outcome of a decision; the work goes on. */
  decisionMs: 8 * SECOND,
  /** Rows of a list on the operators' pages; the overview shows fewer of each kind. */
  pageRows: 50,
  overviewRows: 10,
  /** A paid order that the store does not show after so long is shown to operators. */
  stuckMs: 10 * MINUTE,
  /** Work that failed so often, for about ten minutes, is shown too. */
  failingTries: 10,
  /** How often is looked for something to alert about; a message at most so often unless set otherwise. */
  alertLookMs: 5 * SECOND,
  alertEveryMs: 15 * MINUTE,
  /** So long before the time for evidence ends, an open dispute is alerted about once more. */
  disputeDueMs: 48 * 60 * MINUTE,
  /** How many of each kind one look sees, and how many are remembered as told. */
  alertRows: 200,
  alertsRemembered: 1_000,
  /** A shop that is still down is told again after so long. */
  downAgainMs: 6 * 60 * MINUTE,
  /** One try to send; who sends has it for itself so long; the waits after tries that failed. */
  alertSendMs: 20 * SECOND,
  alertClaimMs: 2 * MINUTE,
  alertRetryMs: 30 * SECOND,
  alertRetryLongestMs: 15 * MINUTE,
  /** Shorter secrets of our alerts could be guessed. Characters. */
  alertSecretLength: 16,
  /** Personal data leaves the ledger after so many days unless set otherwise; fewer would touch payments within grace. */
  retentionDays: 90,
  leastRetentionDays: 7,
  dayMs: 24 * 60 * MINUTE,
  /** Pruning begins so long after a start, takes so many rows at a time, and lets others work in between. */
  pruneFirstMs: 2 * MINUTE,
  pruneRows: 500,
  pruneGiveWayMs: 200,
  /** Errands: who does one has it for itself so long; the waits after a go that failed. */
  errandLeaseMs: 90 * SECOND,
  errandRetryMs: 5 * SECOND,
  errandRetryLongestMs: 10 * MINUTE,
  /** How many a round looks at, how many are done at once, and how many rows a look through all of them reads at a time. */
  errandsARound: 200,
  errandsAtOnce: 20,
  errandRowsAtOnce: 200,
  /** How often the clock is compared with that of the ledger's machine. */
  clockWatchMs: MINUTE,
  /** The same fault is logged again after so long. */
  sameFaultMs: MINUTE,
} as const;
