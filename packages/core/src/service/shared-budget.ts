import {
  type Budget,
  type BudgetRequest,
  CHECKOUT_RESERVE,
  createBudget,
  DEFAULT_RATE_LIMITS,
  type RateLimit,
  ServiceError,
} from "@tillkit/client";
import type { Environment } from "../domain/order.ts";
import type { Clock } from "../ports/clock.ts";
import type { BudgetWindow, SharedBudget } from "../ports/shared-budget.ts";

export type SharedBudgetOptions = {
  readonly ledger: SharedBudget;
  readonly credentialId: string;
  readonly environment: Environment;
  readonly clock: Clock;
};

/** If the ledger does not count a call within the timeout, the process uses only its local budget until the pause ends. */
const LEDGER_TIMEOUT_MS = 1_000;
const LEDGER_PAUSE_MS = 10_000;

/**
 * A budget of one credential's calls over all processes that share a ledger. Each process also keeps a local budget, which takes
 * calls of other users of the key into account. The local budget alone counts while the ledger fails. A part of every window is
 * reserved for opening checkouts.
 */
export function createSharedBudget({ ledger, credentialId, environment, clock }: SharedBudgetOptions): Budget {
  const localBudget = createBudget({ environment, clock });
  const rateWindows = createRateWindows(environment);
  let ledgerPausedUntil = 0;

  /** Milliseconds until the shared windows have room; 0 when the call was counted or the ledger cannot count it. */
  async function spend(request: BudgetRequest): Promise<number> {
    // The clock may have been set back during the pause.
    ledgerPausedUntil = Math.min(ledgerPausedUntil, clock.now() + LEDGER_PAUSE_MS);
    if (clock.now() < ledgerPausedUntil) return 0;
    const controller = new AbortController();
    const timeout = clock.sleep(LEDGER_TIMEOUT_MS, controller.signal).then(() => null);
    // The abort below rejects the sleep, which nothing awaits by then.
    timeout.catch(() => undefined);
    const counting = ledger.spend({ credentialId, now: clock.now(), windows: rateWindows.windowsFor(request) });
    const waitMs = await Promise.race([counting.catch(() => null), timeout]);
    controller.abort("counted");
    if (waitMs === null) ledgerPausedUntil = clock.now() + LEDGER_PAUSE_MS;
    return waitMs ?? 0;
  }

  return {
    async acquire(request) {
      const deadline = clock.now() + request.remainingMs;
      await localBudget.acquire(request);
      let waitMs = await spend(request);
      while (waitMs > 0) {
        if (clock.now() + waitMs >= deadline) throw exhaustedError(waitMs);
        await clock.sleep(waitMs, request.signal);
        waitMs = await spend(request);
      }
    },
    recordRateLimit(rate, limit) {
      localBudget.recordRateLimit(rate, limit);
      const newWindow = rateWindows.record(rate, limit);
      // The call whose response reported the window was made within that window and counts there.
      if (newWindow) ledger.spend({ credentialId, now: clock.now(), windows: [newWindow] }).catch(() => undefined);
    },
    pause: (ms) => localBudget.pause?.(ms),
  };
}

type Window = Pick<RateLimit, "limit" | "windowSeconds">;

/**
 * The rate limit windows that responses have reported, or the defaults before the first report. The response to a write may
 * report a window of writes only, so only a window that is reported for a read is taken to apply to all calls.
 */
function createRateWindows(environment: Environment) {
  const { minute, day } = DEFAULT_RATE_LIMITS[environment];
  let windowsOfCalls: readonly Window[] = [
    { limit: minute, windowSeconds: 60 },
    { limit: day, windowSeconds: 86_400 },
  ];
  let windowsOfWrites: readonly Window[] = [];
  let isReported = false;

  return {
    windowsFor({ rate, opensCheckout }: BudgetRequest): readonly BudgetWindow[] {
      const reserve = opensCheckout ? 0 : CHECKOUT_RESERVE;
      const ofWrites =
        rate === "write" ? windowsOfWrites.map((window) => toBudgetWindow("write", window, reserve)) : [];
      return [...windowsOfCalls.map((window) => toBudgetWindow("all", window, reserve)), ...ofWrites];
    },
    /** Returns the window if it was not known before. */
    record(rate: BudgetRequest["rate"], { limit, windowSeconds }: RateLimit): BudgetWindow | null {
      const window = { limit, windowSeconds };
      const isSame = (other: Window) => other.limit === limit && other.windowSeconds === windowSeconds;
      const isKnown = [...windowsOfCalls, ...(rate === "write" ? windowsOfWrites : [])].some(isSame);
      if (rate === "write") {
        if (!isKnown) windowsOfWrites = [window];
        return isKnown ? null : toBudgetWindow("write", window, 0);
      }
      // The first report replaces the defaults, unless it names one of them.
      const previous = isReported || isKnown ? windowsOfCalls : [];
      windowsOfCalls = [...previous.filter((other) => other.windowSeconds !== windowSeconds), window];
      windowsOfWrites = windowsOfWrites.filter((other) => !isSame(other));
      isReported = true;
      return isKnown ? null : toBudgetWindow("all", window, 0);
    },
  };
}

function toBudgetWindow(kind: "all" | "write", { limit, windowSeconds }: Window, reserve: number): BudgetWindow {
  const calls = limit - Math.floor(limit * reserve);
  return { name: `${kind} ${windowSeconds} s`, perMs: windowSeconds * 1_000, calls };
}

function exhaustedError(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1_000);
  const message = `The API key's call budget is used up for ${seconds} s, longer than this call may take. Nothing was sent.`;
  return new ServiceError("rate_limit_exceeded", message, { retryAfterMs: waitMs });
}
