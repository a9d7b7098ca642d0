/** The client's only source of time, in milliseconds. */
export interface Clock {
  now(): number;
  /** Milliseconds since any moment, which never go back. The default is `performance.now()`. */
  monotonicNow?(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `onTimeout` after `ms`, unless the returned function is called first. A clock without `setTimer` times deadlines by
   * `sleep`, which costs more.
   */
  setTimer?(ms: number, onTimeout: () => void): () => void;
}

/** The client's only source of randomness. */
export interface Random {
  /** From 0 (included) to 1 (excluded), for jitter. */
  fraction(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      signal?.addEventListener("abort", stop, { once: true });
    }),
  setTimer(ms, onTimeout) {
    const timer = setTimeout(onTimeout, ms);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { fraction: () => Math.random() };
