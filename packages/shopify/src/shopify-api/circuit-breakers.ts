import { type Clock, StoreError } from "@tillkit/core";
import { exponentialBackoff } from "@tillkit/core/ledger";
import { shopifyLimits } from "../limits.ts";

/** One circuit breaker for each shop, in the memory of this process. */
export type ShopCircuitBreakers = {
  /** @throws StoreError `unavailable` while the circuit of the shop is open */
  assertClosed(shop: string): void;
  /** Waits for Shopify's throttle. @throws StoreError `unavailable` and opens the circuit for `waitMs` when that is too long */
  throttle(shop: string, waitMs: number): Promise<void>;
  /** Opens the circuit for `waitMs`. @throws StoreError `unavailable` */
  giveUp(shop: string, waitMs: number): never;
  /** Records that Shopify answered, which closes the circuit. */
  recordAnswer(shop: string): void;
  /** Records that Shopify did not answer, which opens the circuit after several such failures in a row. */
  recordFailure(shop: string): void;
};

export function createShopCircuitBreakers(clock: Clock): ShopCircuitBreakers {
  const openUntil = new Map<string, number>();
  const failures = new Map<string, number>();

  function giveUp(shop: string, waitMs: number): never {
    openUntil.set(shop, clock.now() + waitMs);
    throw new StoreError("unavailable", "Shopify throttles this shop. Nothing was done.");
  }

  return {
    assertClosed(shop) {
      const now = clock.now();
      // Shopify may ask for a wait of years, and the clock may have been set back: a call shows whether it still refuses.
      const until = Math.min(openUntil.get(shop) ?? now, now + shopifyLimits.circuitOpenLongestMs);
      if (until > now) {
        openUntil.set(shop, until);
        throw new StoreError("unavailable", "Shopify throttles this shop or does not answer. Try again in a moment.");
      }
    },
    async throttle(shop, waitMs) {
      if (waitMs > shopifyLimits.longestThrottleWaitMs) giveUp(shop, waitMs);
      await clock.sleep(waitMs);
    },
    giveUp,
    recordAnswer(shop) {
      failures.delete(shop);
      openUntil.delete(shop);
    },
    recordFailure(shop) {
      const count = (failures.get(shop) ?? 0) + 1;
      failures.set(shop, count);
      const { failuresToOpenCircuit, circuitOpenFirstMs, circuitOpenLongestMs } = shopifyLimits;
      if (count < failuresToOpenCircuit) return;
      const openMs = exponentialBackoff(circuitOpenFirstMs, circuitOpenLongestMs, count - failuresToOpenCircuit + 1);
      openUntil.set(shop, clock.now() + openMs);
    },
  };
}
