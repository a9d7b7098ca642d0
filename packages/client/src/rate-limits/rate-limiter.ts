import type { Endpoint } from "../api/endpoints.ts";
import type { Clock } from "../system/clock.ts";
import { CHECKOUT_RESERVE, DEFAULT_RATE_LIMITS, MAX_PAUSE_MS } from "../system/limits.ts";
import type { RateLimit } from "./rate-limit.ts";
import { createRateWindow, type RateWindow } from "./rate-window.ts";

type LimitedCall = { readonly rate: Endpoint["rateLimit"]; readonly opensCheckout: boolean };

/** Counts the calls of one API key against its rate limits. */
export type RateLimiter = {
  /** When the call may be sent, in milliseconds since 1970. */
  availableAt(call: LimitedCall): number;
  recordCall(call: LimitedCall): void;
  recordRateLimit(rate: Endpoint["rateLimit"], reported: RateLimit): void;
  pause(ms: number): void;
};

export function createRateLimiter(environment: "test" | "live", clock: Clock): RateLimiter {
  const windows = defaultWindows(environment);
  const windowsOf = ({ rate }: LimitedCall) => (rate === "write" ? [...windows.all, ...windows.write] : windows.all);
  let pausedUntil = 0;

  return {
    availableAt(call) {
      const now = clock.now();
      // The clock may have been set back during the pause.
      pausedUntil = Math.min(pausedUntil, now + MAX_PAUSE_MS);
      const times = windowsOf(call).map((window) => window.availableAt(now, reserveOf(window, call)));
      return Math.max(now, pausedUntil, ...times);
    },
    recordCall(call) {
      for (const window of windowsOf(call)) window.recordCall(clock.now());
    },
    recordRateLimit(rate, reported) {
      applyRateLimit(windows, rate, reported, clock.now());
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(ms, MAX_PAUSE_MS));
    },
  };
}

type Windows = { all: RateWindow[]; write: RateWindow[]; isReported: boolean };

function defaultWindows(environment: "test" | "live"): Windows {
  const { minute, day } = DEFAULT_RATE_LIMITS[environment];
  const all = [
    createRateWindow({ limit: minute, windowSeconds: 60 }),
    createRateWindow({ limit: day, windowSeconds: 86_400 }),
  ];
  return { all, write: [], isReported: false };
}

/** A response to a call of the rate `default` reports a limit of all calls; the first such report replaces the default windows. */
function applyRateLimit(windows: Windows, rate: Endpoint["rateLimit"], reported: RateLimit, now: number): void {
  const windowMs = reported.windowSeconds * 1000;
  const isSame = (window: RateWindow) => window.limit === reported.limit && window.windowMs === windowMs;
  const window = [...windows.all, ...windows.write].find(isSame) ?? createRateWindow(reported);
  if (rate === "default") {
    const others = windows.isReported || windows.all.includes(window) ? windows.all : [];
    windows.all = [...others.filter((other) => other.windowMs !== windowMs), window];
    windows.write = windows.write.filter((other) => other !== window);
    windows.isReported = true;
  } else if (!windows.all.includes(window)) {
    windows.write = [window];
  }
  window.syncRemaining(reported.remaining, now);
}

function reserveOf(window: RateWindow, { opensCheckout }: LimitedCall): number {
  return opensCheckout ? 0 : Math.floor(window.limit * CHECKOUT_RESERVE);
}
