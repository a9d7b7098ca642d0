import { randomUUID } from "node:crypto";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Random } from "../ports/random.ts";

/** The real time. The only file of core that knows it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(wake, ms);
      signal?.addEventListener("abort", leave, { once: true });
      function wake() {
        signal?.removeEventListener("abort", leave);
        resolve();
      }
      function leave() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
    }),
  setTimer: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { uuid: () => randomUUID(), fraction: () => Math.random() };

export const silentLog: Log = { info() {}, warn() {}, error() {} };
