import type { Endpoint } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type Clock, systemClock } from "../system/clock.ts";
import type { RateLimit } from "./rate-limit.ts";
import { createRateLimiter } from "./rate-limiter.ts";

/** Limits the calls of one API key. All clients of the key should share one budget. */
export type Budget = {
  /**
   * Resolves when the call may be sent.
   *
   * @throws ServiceError `rate_limit_exceeded` without a status, when the call could only be sent after its deadline
   */
  acquire(request: BudgetRequest): Promise<void>;
  /** Takes over the limit that a response to a call of this rate class reported. */
  recordRateLimit(rate: Endpoint["rateLimit"], reported: RateLimit): void;
  /** Holds all calls back for `ms`, which is the service's `Retry-After`, but for a minute at most. */
  pause?(ms: number): void;
};

export type BudgetRequest = {
  readonly rate: Endpoint["rateLimit"];
  /** The call creates a checkout session: it passes all waiting calls and may use the reserve. */
  readonly opensCheckout: boolean;
  /** Time until the deadline of the call. */
  readonly remainingMs: number;
  readonly signal: AbortSignal;
};

type Waiter = { readonly request: BudgetRequest; readonly proceed: () => void };

/**
 * Keeps the calls of one process below the stricter of the two rate limits that the service's documentation states
 * (API.md#rate-limits), until responses report the real limit.
 */
export function createBudget(options: { environment: "test" | "live"; clock?: Clock }): Budget {
  const clock = options.clock ?? systemClock;
  const limiter = createRateLimiter(options.environment, clock);
  const waiters: Waiter[] = [];
  let sleepAbort: AbortController | null = null;

  const wakeUp = () => sleepAbort?.abort();

  async function serveWaiters(): Promise<void> {
    while (waiters.length > 0) {
      const index = waiters.findIndex(({ request }) => limiter.availableAt(request) <= clock.now());
      const [waiter] = index === -1 ? [] : waiters.splice(index, 1);
      if (waiter !== undefined) {
        limiter.recordCall(waiter.request);
        waiter.proceed();
      } else {
        sleepAbort = new AbortController();
        const wakeAt = Math.min(...waiters.map(({ request }) => limiter.availableAt(request)));
        await clock.sleep(wakeAt - clock.now(), sleepAbort.signal).catch(() => undefined);
      }
    }
    sleepAbort = null;
  }

  /** Creations of checkout sessions pass all other calls; calls of the same kind keep their order. */
  function waitInQueue(request: BudgetRequest): Promise<void> {
    const { waiter, turn } = createWaiter(request, () => {
      waiters.splice(waiters.indexOf(waiter), 1);
      wakeUp();
    });
    const place = request.opensCheckout ? waiters.findIndex((other) => !other.request.opensCheckout) : -1;
    waiters.splice(place === -1 ? waiters.length : place, 0, waiter);
    if (sleepAbort === null) void serveWaiters();
    else wakeUp();
    return turn;
  }

  return {
    async acquire(request) {
      const waitMs = limiter.availableAt(request) - clock.now();
      const mustQueue = waiters.some((other) => isSameKind(other.request, request));
      if (waitMs <= 0 && !mustQueue) return limiter.recordCall(request);
      if (waitMs >= request.remainingMs) throw budgetUsedUp(waitMs);
      await waitInQueue(request);
    },
    recordRateLimit(rate, reported) {
      limiter.recordRateLimit(rate, reported);
      wakeUp();
    },
    pause(ms) {
      limiter.pause(ms);
      wakeUp();
    },
  };
}

/** `turn` resolves when `proceed` is called, and rejects when the call is aborted first. */
function createWaiter(request: BudgetRequest, onAbort: () => void): { waiter: Waiter; turn: Promise<void> } {
  let proceed = () => {};
  const turn = new Promise<void>((resolve, reject) => {
    const cancel = () => {
      onAbort();
      reject(request.signal.reason);
    };
    proceed = () => {
      request.signal.removeEventListener("abort", cancel);
      resolve();
    };
    request.signal.addEventListener("abort", cancel, { once: true });
  });
  return { waiter: { request, proceed }, turn };
}

function isSameKind(left: BudgetRequest, right: BudgetRequest): boolean {
  return left.rate === right.rate && left.opensCheckout === right.opensCheckout;
}

function budgetUsedUp(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `This key has no calls left for ${seconds} s, which is longer than this call may take; nothing was sent.`;
  return new ServiceError("rate_limit_exceeded", message, { retryAfterMs: waitMs });
}
