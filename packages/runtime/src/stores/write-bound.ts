import { createSendBy, type SendByClock } from "@tillkit/client";
import { limits, StoreError, systemClock } from "@tillkit/core";

/**
 * The last moment at which one call of an adapter may change its store. An adapter in the store's own process compares it right before
 * the change takes effect, in wall-clock and in monotonic time: a worker that slept meanwhile writes nothing.
 */
export type WriteBound = {
  isOver(): boolean;
  /** @throws StoreError `unavailable` when the moment has passed */
  assertInTime(): void;
};

/** Begins when the adapter is called. */
export function createWriteBound(clock: SendByClock = systemClock): WriteBound {
  const { isOver } = createSendBy(clock.now() + limits.storeCallMs, clock);
  return {
    isOver,
    assertInTime() {
      if (isOver())
        throw new StoreError("unavailable", "Nothing was written: the last moment for this write had passed.");
    },
  };
}
