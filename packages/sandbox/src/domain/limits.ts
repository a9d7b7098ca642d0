/** Every limit of the sandbox. Names that end in `Ms` are milliseconds. */
export const limits = {
  /** The body of a request to the API or the control API. */
  bodyBytes: 1024 * 1024,
  /** A form that is submitted to a page. */
  formBytes: 32 * 1024,
  jsonDepth: 100,
  pageSize: 20,
  pageSizeMax: 100,
  idempotencyKeyLength: 255,
  /** The maximum length of lists that have no cursor. */
  arrayLength: 1000,
  /** How many delivery logs are listed by default. */
  logPageSize: 25,
  /** How long a confirmation token is valid. */
  confirmationMs: 10 * 60 * 1000,
  metadataKeys: 50,
  metadataKeyLength: 64,
  metadataTextLength: 1000,
  /** Characters per text of the evidence of a dispute. */
  evidenceLength: 5000,
  requestsRemembered: 2000,
  /** How many of the remembered requests keep their bodies. */
  exchangesRemembered: 200,
  /** Longer bodies are not remembered. */
  bodyKept: 16 * 1024,
  /** How many rate limit windows are counted: each window of a policy is counted for each API key. */
  rateLimitBuffers: 1000,
  faults: 1000,
  /** The largest value of a setting in milliseconds. */
  longestDelayMs: 3_600_000,
  /** The number of rows per table whose earlier versions are remembered. */
  earlierRows: 1000,
  snapshots: 20,
  /** How many due rows of one table are read at once. */
  dueAtOnce: 200,
  deliveriesAtOnce: 64,
  deliveriesAtOncePerEndpoint: 8,
  /** The response of a webhook endpoint is stored up to this size. */
  responseBodyKept: 4096,
  /** How long after a rotation the previous secret also signs. */
  dualSignatureMs: 24 * 60 * 60 * 1000,
  /** How long a delivery is held back at most, until the next delivery overtakes it. */
  reorderHoldMs: 30_000,
  /** How long after the delivery that overtook it a held delivery is sent. */
  reorderGapMs: 250,
  /** How long an invite is valid. */
  inviteMs: 7 * 24 * 60 * 60 * 1000,
  /** The longest sleep of a scheduler's timer. */
  timerMs: 60_000,
} as const;
