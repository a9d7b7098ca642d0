import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";

/** `about`: `credential:ID` or `store:ID`. */
export type CircuitBreaker = { readonly target: string; readonly failures: number; readonly openUntil: number };

/**
 * Stops this process from calling what does not answer: after failures for several different payments in a row nobody calls
 * for a while, then one caller tries. One payment that always fails is not a shop that is down: it opens nothing.
 */
export type CircuitBreakers = {
  /** Null: go ahead. Otherwise the time until which nobody calls. After it, the first who asks is the one that tries. */
  openUntil(about: string): number | null;
  /** Whether it left the last caller without an answer. */
  hasFailed(about: string): boolean;
  record(about: string, paymentId: string, answered: boolean): void;
  /** Those that are open or trying, for people. */
  list(): readonly CircuitBreaker[];
};

type State = { readonly failed: Set<string>; failures: number; openUntil: number };

export function createCircuitBreakers(clock: Clock): CircuitBreakers {
  const states = new Map<string, State>();

  return {
    openUntil(about) {
      const state = states.get(about);
      if (!state || !isOpen(state)) return null;
      const now = clock.now();
      if (now < state.openUntil) return state.openUntil;
      state.openUntil = now + limits.storeCallMs;
      return null;
    },
    hasFailed: (about) => states.has(about),
    record(about, paymentId, answered) {
      if (answered) {
        states.delete(about);
        return;
      }
      const state = states.get(about) ?? { failed: new Set(), failures: 0, openUntil: 0 };
      states.set(about, state);
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
  const doublings = Math.min(failures - limits.breakerOpensAt, 20);
  return Math.min(limits.breakerFirstMs * 2 ** doublings, limits.breakerLongestMs);
}
