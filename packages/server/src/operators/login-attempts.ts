import type { Clock } from "@tillkit/core";
import { hostLimits } from "../limits.ts";

/** Counts wrong tokens by address, in this process. */
export type LoginAttempts = { mayTry(address: string): boolean; failed(address: string): void };

export function createLoginAttempts(clock: Clock): LoginAttempts {
  const failures = new Map<string, number>();
  let windowEndsAt = Number.NEGATIVE_INFINITY;

  function turnWindow(): void {
    if (clock.now() < windowEndsAt) return;
    failures.clear();
    windowEndsAt = clock.now() + hostLimits.loginWindowMs;
  }

  return {
    mayTry(address) {
      turnWindow();
      return (failures.get(address) ?? 0) < hostLimits.loginTries;
    },
    failed(address) {
      turnWindow();
      const count = (failures.get(address) ?? 0) + 1;
      const [oldest] = failures.keys();
      if (count === 1 && failures.size >= hostLimits.loginAddresses && oldest !== undefined) failures.delete(oldest);
      failures.set(address, count);
    },
  };
}
