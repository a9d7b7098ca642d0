const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The limits of the checkout server of PHP shops. Times in milliseconds. */
export const serverLimits = {
  sweepIntervalMs: 24 * HOUR,
  firstSweepDelayMs: 60 * SECOND,
  /** How long no other process sweeps a shop that one has begun to sweep. */
  sweptForMs: HOUR,
  /** The sweep reads orders that changed within this time, which is longer than the lifetime of a session and its grace period. */
  sweepWindowMs: 7 * 24 * HOUR,
  /** The size of a call of the plugin. */
  callBytes: 64 * 1024,
  /** How long `close` waits for a running sweep. The next sweep covers the same orders. */
  closeMs: 10 * SECOND,
  /** The webhook round trip of the health panel: its interval and its time limit. */
  roundTripIntervalMs: 10 * SECOND,
  roundTripMs: 10 * SECOND,
  /** Shops that the doctor examines at once. */
  examinedShops: 8,
  /** The shortest time between two readings of the stored pairings, which other processes may have changed. */
  pairingReadMs: 5 * SECOND,
  /** How long the link secret before the present one is accepted. Whoever got hold of it can do nothing after that. */
  previousLinkMs: 24 * HOUR,
  /** Shops of self-service that one process keeps ready. Others are read again when they are needed. */
  knownShops: 5_000,
  /** How long the service may take to answer about a key that an owner enters. */
  keyTrialMs: 10 * SECOND,
  /** How often shops that leave are looked at, and after how long their keys are wiped although a payment is not finished. */
  leavingCheckMs: HOUR,
  leavingMs: 30 * 24 * HOUR,
  /** After how long an attempt to connect that did not end is forgotten, with what it stored; a registration after `leavingCheckMs`. */
  attemptMs: 24 * HOUR,
  listedAttempts: 500,
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
} as const;
