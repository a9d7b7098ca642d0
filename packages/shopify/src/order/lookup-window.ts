import type { Clock } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** Whether an address may look up one more order now. Of this process only. */
export function createLookupWindow(clock: Clock): (address: string) => boolean {
  let endsAt = 0;
  const looked = new Map<string, number>();

  return function mayLookUp(address) {
    if (clock.now() >= endsAt) {
      looked.clear();
      endsAt = clock.now() + shopifyLimits.lookupWindowMs;
    }
    const times = (looked.get(address) ?? 0) + 1;
    if (looked.size < shopifyLimits.lookupAddresses || looked.has(address)) looked.set(address, times);
    return times <= shopifyLimits.lookups;
  };
}
