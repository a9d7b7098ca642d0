const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Every bound of the runtime. Times in milliseconds. */
export const runtimeLimits = {
  /** Late payments are looked for during the 72 hours after a session's end: a shopper's link must work well beyond that. */
  tokenLifetimeMs: 30 * 24 * 60 * MINUTE,
  /** A delivery has at most 256 KB and takes far less time. A slower sender only holds a connection. */
  bodyTimeoutMs: 10 * SECOND,
  /** The service waits four seconds for the answer to a webhook, the way there and back included. */
  webhookAnswerMs: 3.5 * SECOND,
  /** The bodies that one process reads and works on at once, and the memory that they take up. Further ones are refused with a 503. */
  maxBodiesInFlight: 1_000,
  maxBufferedBytes: 32 * 1024 * 1024,
  /** The room that is reserved first for a body whose length is not announced. A webhook has about 2 KB. */
  firstChunkBytes: 16 * 1024,
  /** A sender that is slower than this, after a pause, is the first to lose its place when there is no room for a new body. */
  bodyBytesPerMs: 16,
  bodyPauseMs: SECOND,
  /** When a sender that found no room may try again. */
  retryAfterSeconds: 1,
  /** After a refusal the sender may finish its request for this long. Then the connection is closed. */
  hangUpDelayMs: 2 * SECOND,
  /** How often the timer looks for due jobs while no job is due. */
  roundIntervalMs: SECOND,
  /** Jobs started in one round. Webhooks and pages are served between two rounds. */
  jobsPerRound: 8,
  /** Jobs under way at once, of all stores: one call to a store takes up to 20 s, and a job makes two or three. */
  maxJobsInFlight: 640,
  /** Deliveries have priority over jobs, but jobs wait for them no longer than this. */
  deliveryPriorityMs: 250,
  /** How long a closing process waits for the work under way. */
  closeTimeoutMs: 10 * SECOND,
  /** A ledger that does not answer a health check within this time counts as unreachable. */
  ledgerTimeoutMs: 2 * SECOND,
  /** A timer that has not looked for jobs for this long counts as stuck. */
  timerAliveMs: 30 * SECOND,
  /** A process whose oldest due job waits longer than this is not ready. */
  maxLagMs: 10 * MINUTE,
  /** How often the machine's clock is compared with the clock of the ledger. */
  clockCheckIntervalMs: MINUTE,
  /** A lasting fault is logged again after this time. */
  repeatedLogIntervalMs: MINUTE,
  /** How often the ledger is asked whether a refused webhook is about a payment of ours. */
  refusalIntervalMs: SECOND,
  /** How long refused webhooks are shown, unless one is accepted before. */
  refusalKeptMs: 7 * 24 * 60 * MINUTE,
  /** The endpoints with refused webhooks that are read, and the newest deliveries among which an accepted one is looked for. */
  maxRefusedEndpoints: 100,
  maxComparedDeliveries: 500,
} as const;
