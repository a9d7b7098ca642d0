import type { Environment } from "../domain/environment.ts";
import { limits } from "../domain/limits.ts";
import type { Settings } from "../domain/settings.ts";

type Window = { name: string; limit: number; seconds: number; writesOnly: boolean };

const minute = (limit: number): Window => ({ name: "minute", limit, seconds: 60, writesOnly: false });
const day = (limit: number): Window => ({ name: "day", limit, seconds: 86_400, writesOnly: false });
const quarterHourAndWrites: readonly Window[] = [
  { name: "default", limit: 5000, seconds: 900, writesOnly: false },
  { name: "write", limit: 120, seconds: 60, writesOnly: true },
];

/** The service documents its rate limits in two contradicting ways, A and B. */
const policies: Record<Settings["ratePolicy"], Record<Environment, readonly Window[]>> = {
  A: { test: [minute(120), day(20_000)], live: [minute(60), day(10_000)] },
  B: { test: quarterHourAndWrites, live: quarterHourAndWrites },
  off: { test: [], live: [] },
};

/** The window with the fewest remaining requests. `retryAfterSeconds` is set when the request is over the limit. */
export type RateLimitStatus = {
  window: Window;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number | null;
};

export type RateLimits = {
  /** Counts a request of this key. A request over the limit does not count. Null means that no limit applies. */
  count(request: {
    key: string;
    environment: Environment;
    policy: Settings["ratePolicy"];
    isWrite: boolean;
    now: number;
  }): RateLimitStatus | null;
  clear(): void;
};

/** Sliding windows per key, in ring buffers of fixed size. */
export function createRateLimits(): RateLimits {
  const buffers = new Map<string, RingBuffer>();

  function bufferFor(name: string, limit: number): RingBuffer {
    let buffer = buffers.get(name);
    if (buffer === undefined) {
      const oldest = buffers.size < limits.rateLimitBuffers ? undefined : buffers.keys().next().value;
      if (oldest !== undefined) buffers.delete(oldest);
      buffer = createRingBuffer(limit);
      buffers.set(name, buffer);
    }
    return buffer;
  }

  return {
    count({ key, environment, policy, isWrite, now }) {
      const applicableWindows = policies[policy][environment]
        .filter((window) => isWrite || !window.writesOnly)
        .map((window) => ({ window, buffer: bufferFor(`${policy} ${window.name} ${key}`, window.limit) }));
      for (const { window, buffer } of applicableWindows) buffer.evictUntil(now - window.seconds * 1000);

      const full = applicableWindows.find(({ window, buffer }) => buffer.size() >= window.limit);
      if (full !== undefined) return rateLimitStatus({ ...full, now, isExceeded: true });
      for (const { buffer } of applicableWindows) buffer.add(now);
      const tightest = applicableWindows.sort(
        (a, b) => remainingIn(a.window, a.buffer) - remainingIn(b.window, b.buffer),
      )[0];
      return tightest === undefined ? null : rateLimitStatus({ ...tightest, now, isExceeded: false });
    },
    clear: () => buffers.clear(),
  };
}

/** `X-RateLimit-*`, the two IETF fields, and `Retry-After` when the request is over the limit. */
export function rateLimitHeaders({
  window,
  remaining,
  resetSeconds,
  retryAfterSeconds,
}: RateLimitStatus): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(window.limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Window-Seconds": String(window.seconds),
    "RateLimit-Policy": `"${window.name}";q=${window.limit};w=${window.seconds}`,
    RateLimit: `"${window.name}";r=${remaining};t=${resetSeconds}`,
    ...(retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) }),
  };
}

type RingBuffer = { size(): number; oldest(): number; add(time: number): void; evictUntil(until: number): void };

function remainingIn(window: Window, buffer: RingBuffer): number {
  return window.limit - buffer.size();
}

function rateLimitStatus({
  window,
  buffer,
  now,
  isExceeded,
}: {
  window: Window;
  buffer: RingBuffer;
  now: number;
  isExceeded: boolean;
}): RateLimitStatus {
  const resetSeconds = Math.max(1, Math.ceil((buffer.oldest() + window.seconds * 1000 - now) / 1000));
  return {
    window,
    remaining: remainingIn(window, buffer),
    resetSeconds,
    retryAfterSeconds: isExceeded ? resetSeconds : null,
  };
}

function createRingBuffer(capacity: number): RingBuffer {
  const times = new Float64Array(capacity);
  let first = 0;
  let size = 0;
  return {
    size: () => size,
    oldest: () => times[first] ?? 0,
    add(time) {
      times[(first + size) % capacity] = time;
      size += 1;
    },
    evictUntil(until) {
      while (size > 0 && (times[first] ?? 0) <= until) {
        first = (first + 1) % capacity;
        size -= 1;
      }
    },
  };
}
