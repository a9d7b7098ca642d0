import { randomUUID } from "node:crypto";
import type { Clock } from "./ports/clock.ts";
import type { Log } from "./ports/log.ts";
import type { Random } from "./ports/random.ts";

/** The system clock. No other file of core reads the time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(onTimeout, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
      function onTimeout() {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }
      function onAbort() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
    }),
  setTimer: (ms, onTimeout) => {
    const timer = setTimeout(onTimeout, ms);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { uuid: () => randomUUID(), fraction: () => Math.random() };

export const silentLog: Log = { info() {}, warn() {}, error() {} };
