import { isIPv6 } from "node:net";
import type { Clock } from "@tillkit/core";
import { serverLimits } from "../limits.ts";

/** Counts attempts per IP address in this process, in a fixed window. */
export type AttemptLimit = { isAllowed(address: string): boolean; record(address: string): void };

export type AttemptLimitOptions = { readonly maxAttempts: number; readonly windowMs: number };

export function createAttemptLimit(clock: Clock, { maxAttempts, windowMs }: AttemptLimitOptions): AttemptLimit {
  const attempts = new Map<string, number>();
  let windowEndsAt = Number.NEGATIVE_INFINITY;

  function startNextWindowIfOver(): void {
    const latestEnd = clock.now() + windowMs;
    // The clock may have been set back during the window.
    windowEndsAt = Math.min(windowEndsAt, latestEnd);
    if (clock.now() < windowEndsAt) return;
    attempts.clear();
    windowEndsAt = latestEnd;
  }

  return {
    isAllowed(address) {
      startNextWindowIfOver();
      return (attempts.get(networkOf(address)) ?? 0) < maxAttempts;
    },
    record(address) {
      startNextWindowIfOver();
      const network = networkOf(address);
      const count = (attempts.get(network) ?? 0) + 1;
      const [oldest] = attempts.keys();
      if (count === 1 && attempts.size >= serverLimits.maxAttemptAddresses && oldest !== undefined)
        attempts.delete(oldest);
      attempts.set(network, count);
    },
  };
}

/** One subscriber has a whole IPv6 network of 64 bits, so its addresses count together. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [start = "", end] = address.split("::");
  const groups = start === "" ? [] : start.split(":");
  const endGroups = end === undefined || end === "" ? [] : end.split(":");
  const missing = Array.from({ length: end === undefined ? 0 : 8 - groups.length - endGroups.length }, () => "0");
  return [...groups, ...missing, ...endGroups].slice(0, 4).join(":");
}
