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
   * Null: the call may be made. Otherwise the time until which the breaker stays open. After that, the first caller probes the
   * target (half-open).
   */
  openUntil(target: string): number | null;
  /** Whether the last call to the target failed. */
  hasFailed(target: string): boolean;
  record(target: string, paymentId: string, succeeded: boolean): void;
  /** The breakers that are open or half-open, for operators. */
  list(): readonly CircuitBreaker[];
};

type State = { readonly failed: Set<string>; failures: number; openUntil: number };

export function createCircuitBreakers(clock: Clock): CircuitBreakers {
  const states = new Map<string, State>();

  return {
    openUntil(target) {
      const state = states.get(target);
      if (!state || !isOpen(state)) return null;
      const now = clock.now();
      if (now < state.openUntil) return state.openUntil;
      state.openUntil = now + limits.storeCallMs;
      return null;
    },
    hasFailed: (target) => states.has(target),
    record(target, paymentId, succeeded) {
      if (succeeded) {
        states.delete(target);
        return;
      }
      const state = states.get(target) ?? { failed: new Set(), failures: 0, openUntil: 0 };
      states.set(target, state);
      if (state.failed.size < limits.breakerOpensAt) state.failed.add(paymentId);
      state.failures += 1;
      if (isOpen(state)) state.openUntil = clock.now() + pauseMs(state.failures);
    },
    list: () =>
      [...states]
        .filter(([, state]) => isOpen(state))
        .map(([target, { failures, openUntil }]) => ({ target, failures, openUntil })),
  };
}

function isOpen({ failed }: State): boolean {
  return failed.size >= limits.breakerOpensAt;
}

function pauseMs(failures: number): number {
  return exponentialBackoff(limits.breakerFirstMs, limits.breakerMaxMs, failures - limits.breakerOpensAt + 1);
}
