/** The only time that core knows. Milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` after `ms`; what it answers takes the alarm back. Left out by clocks that can only sleep. */
  setTimer?(ms: number, ring: () => void): () => void;
}
