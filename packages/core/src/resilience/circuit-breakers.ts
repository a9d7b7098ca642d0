import { exponentialBackoff } from "../domain/job.ts";
import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";

/** A circuit breaker that is open or half-open. `target`: `credential:ID` or `store:ID`. */
export type CircuitBreaker = { readonly target: string; readonly failures: number; readonly openUntil: number };

/**
 * Stops this process from calling a target that does not respond. A breaker opens after calls for several different payments in a
 * row have failed. One payment that always fails opens no breaker, because it does not prove an outage.
 */
export type CircuitBreakers = {
  /**
   * Null: the caller must make the call now. Otherwise the time until which the breaker stays open. After that time the first
   * caller gets null and probes the target (half-open).
   */
  openUntil(target: string): number | null;
  /** When a call that failed or was refused may be tried again: soon after the next probe. Null: no breaker is open. */
  retryAt(target: string): number | null;
  /** Whether the last call to the target failed. */
  hasFailed(target: string): boolean;
  record(target: string, paymentId: string, succeeded: boolean): void;
  /** The breakers that are open or half-open, for operators. */
  list(): readonly CircuitBreaker[];
};

/**
 * The failures since the last success. `rounds` counts the pauses: the first pause, and another pause after each failed probe. While
 * a call probes the target, `probingSince` is the start of that call, and another call may probe after `openUntil`.
 */
type State = {
  /** At most `limits.breakerOpensAt` ids, because more ids would change nothing. */
  readonly failedPaymentIds: Set<string>;
  failures: number;
  rounds: number;
  openUntil: number;
  probingSince: number | null;
};

export function createCircuitBreakers(clock: Clock): CircuitBreakers {
  const states = new Map<string, State>();

  return {
    openUntil(target) {
      const state = states.get(target);
      if (!state || !isOpen(state)) return null;
      const now = clock.now();
      shortenPause(state, now);
      if (now < state.openUntil) return state.openUntil;
      // Other callers wait for this probe, but not longer than a call may take.
      state.openUntil = now + limits.storeCallMs;
      state.probingSince = now;
      return null;
    },
    retryAt(target) {
      const state = states.get(target);
      const now = clock.now();
      if (!state || !isOpen(state)) return null;
      shortenPause(state, now);
      if (state.probingSince === null) return Math.max(now, state.openUntil);
      // Most probes end within a second. The wait grows with the age of a probe that hangs.
      return Math.min(state.openUntil, now + limits.breakerProbeMs + Math.max(0, now - state.probingSince));
    },
    hasFailed: (target) => states.has(target),
    record(target, paymentId, succeeded) {
      if (succeeded) {
        states.delete(target);
        return;
      }
      const state = states.get(target) ?? {
        failedPaymentIds: new Set(),
        failures: 0,
        rounds: 0,
        openUntil: 0,
        probingSince: null,
      };
      states.set(target, state);
      if (!isOpen(state)) state.failedPaymentIds.add(paymentId);
      state.failures += 1;
      // Calls that started before the breaker opened may fail afterwards. Such a failure says nothing new: only a failed probe
      // extends the pause.
      const now = clock.now();
      if (!isOpen(state) || (now < state.openUntil && state.probingSince === null)) return;
      state.rounds += 1;
      state.probingSince = null;
      state.openUntil = now + pauseMs(state.rounds);
    },
    list: () =>
      [...states]
        .filter(([, state]) => isOpen(state))
        .map(([target, { failures, openUntil }]) => ({ target, failures, openUntil })),
  };
}

function isOpen({ failedPaymentIds }: State): boolean {
  return failedPaymentIds.size >= limits.breakerOpensAt;
}

/** The clock may have been set back since the pause began, which then would last as long as the clock was ahead. */
function shortenPause(state: State, now: number): void {
  const longestMs = state.probingSince === null ? pauseMs(state.rounds) : limits.storeCallMs;
  state.openUntil = Math.min(state.openUntil, now + longestMs);
}

function pauseMs(rounds: number): number {
  return exponentialBackoff(limits.breakerFirstMs, limits.breakerMaxMs, rounds, limits.outageGrowth);
}
