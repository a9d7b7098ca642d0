import { type Clock, StoreError } from "@tillkit/core";
import { shopifyLimits } from "../limits.ts";

/** Who asked us to wait, and who does not answer: of this process only, lost without harm. */
export type QuietShops = {
  /** @throws StoreError `unavailable` while this shop is to be left alone */
  assertOpen(shop: string): void;
  /** Waits when the time is short. @throws StoreError `unavailable` when it is not */
  pause(shop: string, ms: number): Promise<void>;
  heard(shop: string, answered: boolean): void;
};

export function createQuietShops(clock: Clock): QuietShops {
  const until = new Map<string, number>();
  const silent = new Map<string, number>();

  return {
    assertOpen(shop) {
      if ((until.get(shop) ?? 0) > clock.now()) {
        throw new StoreError(
          "unavailable",
          "Shopify asked us to wait, or does not answer: it is asked again in a moment.",
        );
      }
    },
    async pause(shop, ms) {
      if (ms <= shopifyLimits.throttledMs) return await clock.sleep(ms);
      until.set(shop, clock.now() + ms);
      throw new StoreError("unavailable", "Shopify asks us to wait (throttled): nothing was done.");
    },
    heard(shop, answered) {
      if (answered) {
        silent.delete(shop);
        until.delete(shop);
        return;
      }
      const calls = (silent.get(shop) ?? 0) + 1;
      silent.set(shop, calls);
      const over = calls - shopifyLimits.silentCalls;
      if (over < 0) return;
      until.set(
        shop,
        clock.now() + Math.min(shopifyLimits.silentFirstMs * 2 ** Math.min(over, 10), shopifyLimits.silentLongestMs),
      );
    },
  };
}
