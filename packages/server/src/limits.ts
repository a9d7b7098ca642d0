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
  /** Deliveries go before work, but work does not wait for them longer than this. */
  workWaitsMs: 250,
  /** How long a closing host waits for the work under way. */
  closeMs: 10 * SECOND,
  /** A ledger that does not answer a health check within this is not healthy. */
  ledgerMs: 2 * SECOND,
  /** How long a page waits for the shop's word on where its shopper goes … */
  shopUrlMs: 3 * SECOND,
  /** … and on the order itself. */
  findOrderMs: 10 * SECOND,
  /** Without JavaScript a waiting page opens itself anew so often, and rarely once the shopper waited `waitedLongMs`. */
  refreshMs: 5 * SECOND,
  lateRefreshMs: 30 * SECOND,
  waitedLongMs: 10 * MINUTE,
  /** The same fault is logged again after so long. */
  sameFaultMs: MINUTE,
} as const;
