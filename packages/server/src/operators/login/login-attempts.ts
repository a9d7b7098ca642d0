import type { Clock } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";

/** Counts wrong tokens per IP address in this process. */
export type LoginAttempts = { isAllowed(address: string): boolean; recordFailure(address: string): void };

export function createLoginAttempts(clock: Clock): LoginAttempts {
  const failures = new Map<string, number>();
  let windowEndsAt = Number.NEGATIVE_INFINITY;

  function startNextWindowIfOver(): void {
    const latestEnd = clock.now() + serverLimits.loginWindowMs;
    // The clock may have been set back during the window.
    windowEndsAt = Math.min(windowEndsAt, latestEnd);
    if (clock.now() < windowEndsAt) return;
    failures.clear();
    windowEndsAt = latestEnd;
  }

  return {
    isAllowed(address) {
      startNextWindowIfOver();
      return (failures.get(address) ?? 0) < serverLimits.maxLoginAttempts;
    },
    recordFailure(address) {
      startNextWindowIfOver();
      const count = (failures.get(address) ?? 0) + 1;
      const [oldest] = failures.keys();
      if (count === 1 && failures.size >= serverLimits.maxLoginAddresses && oldest !== undefined)
        failures.delete(oldest);
      failures.set(address, count);
    },
  };
}
