/** Every limit of the sandbox. */
export const limits = {
  bodyBytes: 1024 * 1024,
  formBytes: 32 * 1024,
  jsonDepth: 100,
  pageSize: 20,
  pageSizeMax: 100,
  idempotencyKeyLength: 255,
  /** The maximum length of lists that have no cursor. */
  arrayLength: 1000,
  logPageSize: 25,
  confirmationMs: 10 * 60 * 1000,
  metadataKeys: 50,
  /** Characters per text of the evidence of a dispute. */
  evidenceLength: 5000,
  writesPerCommit: 500,
  requestsRemembered: 2000,
  /** How many of the remembered requests keep their bodies. */
  exchangesRemembered: 200,
  /** Longer bodies are not remembered. */
  bodyKept: 16 * 1024,
  keysRemembered: 1000,
  faults: 1000,
  longestDelayMs: 3_600_000,
  /** The number of rows per table whose earlier versions are remembered. */
  earlierRows: 1000,
  snapshots: 20,
  dueAtOnce: 200,
  deliveriesAtOnce: 64,
  deliveriesAtOncePerEndpoint: 8,
  responseBodyKept: 4096,
  dualSignatureMs: 24 * 60 * 60 * 1000,
  reorderHoldMs: 30_000,
  reorderGapMs: 250,
  inviteMs: 7 * 24 * 60 * 60 * 1000,
  timerMs: 60_000,
} as const;
