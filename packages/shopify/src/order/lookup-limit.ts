import type { Clock } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** Limits the order lookups of each address in a fixed window, in the memory of this process. */
export function createLookupLimit(clock: Clock): (address: string) => boolean {
  let windowEndsAt = 0;
  const counts = new Map<string, number>();

  return function mayLookUp(address) {
    if (clock.now() >= windowEndsAt) {
      counts.clear();
      windowEndsAt = clock.now() + shopifyLimits.lookupWindowMs;
    }
    const count = (counts.get(address) ?? 0) + 1;
    // Beyond this number of addresses further ones are let through uncounted, so that the memory stays small.
    if (counts.size < shopifyLimits.lookupAddresses || counts.has(address)) counts.set(address, count);
    return count <= shopifyLimits.lookupsPerWindow;
  };
}
