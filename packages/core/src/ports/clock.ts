/** The only source of time in core. Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `onTimeout` after `ms` and returns a function that cancels the timer. Optional: core falls back to `sleep`. */
  setTimer?(ms: number, onTimeout: () => void): () => void;
}
