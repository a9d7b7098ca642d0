import type { Endpoint } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import { CHECKOUT_RESERVE, DEFAULT_RATE_LIMITS, MAX_PAUSE_MS } from "../system/limits.ts";
import type { RateLimit } from "./rate-limit.ts";
import { createRateWindow, type RateWindow } from "./rate-window.ts";

/** How many calls one credential may make; share one among all clients of a credential. */
export type Budget = {
  /**
   * Resolves when the call may be sent.
   *
   * @throws ServiceError `rate_limit_exceeded`, without a status, when that would be after the call's deadline
   */
  acquire(want: BudgetRequest): Promise<void>;
  /** What an answer to a call of this rate class taught. */
  recordRateLimit(rate: Endpoint["rate"], taught: RateLimit): void;
  /** The service refused a call and asked to wait so long (`Retry-After`): nothing is sent meanwhile, a minute at most. */
  pause?(ms: number): void;
};

export type BudgetRequest = {
  readonly rate: Endpoint["rate"];
  /** Opening a checkout session: goes before everything else and may use the reserve. */
  readonly opensCheckout: boolean;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
};

type Waiter = { readonly want: BudgetRequest; readonly go: () => void };

/** Keeps one process under the stricter of the service's two rate statements until its answers teach more. */
export function createBudget(options: { environment: "test" | "live"; clock?: Clock }): Budget {
  const clock = options.clock ?? systemClock;
  const windows = untaughtWindows(options.environment);
  const waiting: Waiter[] = [];
  let nap: AbortController | null = null;
  let pausedUntil = 0;

  const freeAt = (want: BudgetRequest) => {
    const now = clock.now();
    const concerned = want.rate === "write" ? [...windows.all, ...windows.write] : windows.all;
    return Math.max(now, pausedUntil, ...concerned.map((window) => window.availableAt(now, reserveOf(window, want))));
  };
  const count = (want: BudgetRequest) => {
    const concerned = want.rate === "write" ? [...windows.all, ...windows.write] : windows.all;
    for (const window of concerned) window.recordCall(clock.now());
  };
  const wakeUp = () => nap?.abort();

  async function serve(): Promise<void> {
    while (waiting.length > 0) {
      const next = waiting.findIndex(({ want }) => freeAt(want) <= clock.now());
      const [waiter] = next === -1 ? [] : waiting.splice(next, 1);
      if (waiter !== undefined) {
        count(waiter.want);
        waiter.go();
      } else {
        nap = new AbortController();
        const wakeAt = Math.min(...waiting.map(({ want }) => freeAt(want)));
        await clock.sleep(wakeAt - clock.now(), nap.signal).catch(() => undefined);
      }
    }
    nap = null;
  }

  return {
    async acquire(want) {
      const waitMs = freeAt(want) - clock.now();
      const isBehind = waiting.some((other) => sameKind(other.want, want));
      if (waitMs <= 0 && !isBehind) return count(want);
      if (waitMs >= want.remainingMs) throw exhausted(waitMs);
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          wakeUp();
          reject(want.signal.reason);
        };
        const waiter: Waiter = {
          want,
          go() {
            want.signal.removeEventListener("abort", leave);
            resolve();
          },
        };
        want.signal.addEventListener("abort", leave, { once: true });
        const place = want.opensCheckout ? waiting.findIndex((other) => !other.want.opensCheckout) : -1;
        waiting.splice(place === -1 ? waiting.length : place, 0, waiter);
        if (nap === null) void serve();
        else wakeUp();
      });
    },
    recordRateLimit(rate, taught) {
      teach(windows, rate, taught, clock.now());
      wakeUp();
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + Math.min(ms, MAX_PAUSE_MS));
      wakeUp();
    },
  };
}

type Windows = { all: RateWindow[]; write: RateWindow[]; isTaught: boolean };

function untaughtWindows(environment: "test" | "live"): Windows {
  const { minute, day } = DEFAULT_RATE_LIMITS[environment];
  const all = [
    createRateWindow({ limit: minute, windowSeconds: 60 }),
    createRateWindow({ limit: day, windowSeconds: 86_400 }),
  ];
  return { all, write: [], isTaught: false };
}

/** Only an answer to a read says for sure that a window holds for everything; the first one ends the guess. */
function teach(windows: Windows, rate: Endpoint["rate"], taught: RateLimit, now: number): void {
  const windowMs = taught.windowSeconds * 1000;
  const isSame = (window: RateWindow) => window.limit === taught.limit && window.windowMs === windowMs;
  const window = [...windows.all, ...windows.write].find(isSame) ?? createRateWindow(taught);
  if (rate === "default") {
    const others = windows.isTaught || windows.all.includes(window) ? windows.all : [];
    windows.all = [...others.filter((other) => other.windowMs !== windowMs), window];
    windows.write = windows.write.filter((other) => other !== window);
    windows.isTaught = true;
  } else if (!windows.all.includes(window)) {
    windows.write = [window];
  }
  window.syncRemaining(taught.remaining, now);
}

function reserveOf(window: RateWindow, want: BudgetRequest): number {
  return want.opensCheckout ? 0 : Math.floor(window.limit * CHECKOUT_RESERVE);
}

function sameKind(one: BudgetRequest, other: BudgetRequest): boolean {
  return one.rate === other.rate && one.opensCheckout === other.opensCheckout;
}

function exhausted(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1000);
  const sentence = `This key's own budget of calls is used up for ${seconds} s, longer than this call may take; nothing was sent.`;
  return new ServiceError("rate_limit_exceeded", sentence, { retryAfterMs: waitMs });
}
