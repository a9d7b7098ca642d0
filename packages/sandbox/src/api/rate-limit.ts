import { limits } from "../limits.ts";
import type { Settings } from "../service/settings.ts";
import type { Environment } from "../storage/tables.ts";

type Window = { name: string; limit: number; seconds: number; writesOnly: boolean };

const minute = (limit: number): Window => ({ name: "minute", limit, seconds: 60, writesOnly: false });
const day = (limit: number): Window => ({ name: "day", limit, seconds: 86_400, writesOnly: false });
const generous: readonly Window[] = [
  { name: "default", limit: 5000, seconds: 900, writesOnly: false },
  { name: "write", limit: 120, seconds: 60, writesOnly: true },
];

/** The two statements of the service's API, section "Limits". */
const policies: Record<Settings["ratePolicy"], Record<Environment, readonly Window[]>> = {
  A: { test: [minute(120), day(20_000)], live: [minute(60), day(10_000)] },
  B: { test: generous, live: generous },
  off: { test: [], live: [] },
};

/** The window with the least remaining after this request; `retryAfterSeconds` is set when the request was refused. */
export type RateStanding = {
  window: Window;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number | null;
};

export type RateLimits = {
  /** Counts a request of this key; a refused one does not count. Null: no limit applies. */
  count(want: {
    key: string;
    environment: Environment;
    policy: Settings["ratePolicy"];
    write: boolean;
    now: number;
  }): RateStanding | null;
  clear(): void;
};

/** Sliding windows, counted per key, in rings of fixed size. */
export function createRateLimits(): RateLimits {
  const rings = new Map<string, Ring>();

  function ringOf(name: string, limit: number): Ring {
    let ring = rings.get(name);
    if (ring === undefined) {
      const oldest = rings.size < limits.keysRemembered ? undefined : rings.keys().next().value;
      if (oldest !== undefined) rings.delete(oldest);
      ring = createRing(limit);
      rings.set(name, ring);
    }
    return ring;
  }

  return {
    count({ key, environment, policy, write, now }) {
      const counted = policies[policy][environment]
        .filter((window) => write || !window.writesOnly)
        .map((window) => ({ window, ring: ringOf(`${policy} ${window.name} ${key}`, window.limit) }));
      for (const { window, ring } of counted) ring.forget(now - window.seconds * 1000);

      const full = counted.find(({ window, ring }) => ring.size() >= window.limit);
      if (full !== undefined) return standing(full.window, full.ring, now, true);
      for (const { ring } of counted) ring.add(now);
      const tightest = counted.sort((a, b) => left(a.window, a.ring) - left(b.window, b.ring))[0];
      return tightest === undefined ? null : standing(tightest.window, tightest.ring, now, false);
    },
    clear: () => rings.clear(),
  };
}

/** `X-RateLimit-*` and the two IETF fields; `Retry-After` when the request was refused. */
export function rateHeaders({
  window,
  remaining,
  resetSeconds,
  retryAfterSeconds,
}: RateStanding): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(window.limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Window-Seconds": String(window.seconds),
    "RateLimit-Policy": `"${window.name}";q=${window.limit};w=${window.seconds}`,
    RateLimit: `"${window.name}";r=${remaining};t=${resetSeconds}`,
    ...(retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) }),
  };
}

type Ring = { size(): number; oldest(): number; add(time: number): void; forget(until: number): void };

function left(window: Window, ring: Ring): number {
  return window.limit - ring.size();
}

function standing(window: Window, ring: Ring, now: number, refused: boolean): RateStanding {
  const resetSeconds = Math.max(1, Math.ceil((ring.oldest() + window.seconds * 1000 - now) / 1000));
  return { window, remaining: left(window, ring), resetSeconds, retryAfterSeconds: refused ? resetSeconds : null };
}

function createRing(capacity: number): Ring {
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
    forget(until) {
      while (size > 0 && (times[first] ?? 0) <= until) {
        first = (first + 1) % capacity;
        size -= 1;
      }
    },
  };
}
