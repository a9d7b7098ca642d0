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

/** A ledger that takes longer to count a call is left alone for a while; the process then counts for itself. */
const LEDGER_PATIENCE_MS = 1_000;
const LEDGER_REST_MS = 10_000;

/**
 * The calls of one credential, counted over all processes that share a ledger. Each process also keeps its own count, which
 * learns that others use the key as well; when the ledger fails, that count alone holds. Opening checkouts goes first: a
 * part of every window is theirs.
 */
export function createSharedBudget({ ledger, credentialId, environment, clock }: SharedBudgetOptions): Budget {
  const own = createBudget({ environment, clock });
  const taught = createTaughtWindows(environment);
  let awayUntil = 0;

  /** Milliseconds until there is room in the windows of all; 0 when the call was counted, or nobody can count it. */
  async function spend(want: BudgetRequest): Promise<number> {
    if (clock.now() < awayUntil) return 0;
    const answered = new AbortController();
    const patience = clock.sleep(LEDGER_PATIENCE_MS, answered.signal).then(() => null);
    patience.catch(() => undefined);
    const counting = ledger.spend({ credentialId, now: clock.now(), windows: taught.windowsFor(want) });
    const waitMs = await Promise.race([counting.catch(() => null), patience]);
    answered.abort("answered");
    if (waitMs === null) awayUntil = clock.now() + LEDGER_REST_MS;
    return waitMs ?? 0;
  }

  return {
    async acquire(want) {
      const deadline = clock.now() + want.remainingMs;
      await own.acquire(want);
      for (let waitMs = await spend(want); waitMs > 0; waitMs = await spend(want)) {
        if (clock.now() + waitMs >= deadline) throw exhausted(waitMs);
        await clock.sleep(waitMs, want.signal);
      }
    },
    recordRateLimit(rate, limit) {
      own.recordRateLimit(rate, limit);
      const fresh = taught.learn(rate, limit);
      // The call that taught a window was made in it.
      if (fresh) ledger.spend({ credentialId, now: clock.now(), windows: [fresh] }).catch(() => undefined);
    },
    pause: (ms) => own.pause?.(ms),
  };
}

type Window = Pick<RateLimit, "limit" | "windowSeconds">;

/** Only an answer to a read says for sure that a window holds for everything; the first one ends the guess. */
function createTaughtWindows(environment: Environment) {
  const { minute, day } = DEFAULT_RATE_LIMITS[environment];
  let all: readonly Window[] = [
    { limit: minute, windowSeconds: 60 },
    { limit: day, windowSeconds: 86_400 },
  ];
  let write: readonly Window[] = [];
  let isTaught = false;

  return {
    windowsFor({ rate, opensCheckout }: BudgetRequest): readonly BudgetWindow[] {
      const reserve = opensCheckout ? 0 : CHECKOUT_RESERVE;
      const ofWrites = rate === "write" ? write.map((window) => asBudget("write", window, reserve)) : [];
      return [...all.map((window) => asBudget("all", window, reserve)), ...ofWrites];
    },
    /** Answers the window when it is a new one. */
    learn(rate: BudgetRequest["rate"], { limit, windowSeconds }: RateLimit): BudgetWindow | null {
      const window = { limit, windowSeconds };
      const isSame = (other: Window) => other.limit === limit && other.windowSeconds === windowSeconds;
      const isKnown = [...all, ...(rate === "write" ? write : [])].some(isSame);
      if (rate === "write") {
        if (!isKnown) write = [window];
        return isKnown ? null : asBudget("write", window, 0);
      }
      const others = isTaught || isKnown ? all : [];
      all = [...others.filter((other) => other.windowSeconds !== windowSeconds), window];
      write = write.filter((other) => !isSame(other));
      isTaught = true;
      return isKnown ? null : asBudget("all", window, 0);
    },
  };
}

function asBudget(kind: "all" | "write", { limit, windowSeconds }: Window, reserve: number): BudgetWindow {
  const calls = limit - Math.floor(limit * reserve);
  return { name: `${kind} ${windowSeconds} s`, perMs: windowSeconds * 1_000, calls };
}

function exhausted(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1_000);
  const sentence = `This key's own budget of calls is used up for ${seconds} s, longer than this call may take; nothing was sent.`;
  return new ServiceError("rate_limit_exceeded", sentence, { retryAfterMs: waitMs });
}
