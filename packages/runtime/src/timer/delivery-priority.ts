import type { Clock } from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";

/** Deliveries go before jobs: the service times out a delivery after seconds, while the job that it causes may take minutes. */
export type DeliveryPriority = {
  /** Runs `receive` and counts it as a delivery under way. */
  receive<Result>(receive: () => Promise<Result>): Promise<Result>;
  /** Resolves in a later turn of the event loop, when no delivery is under way or after `deliveryPriorityMs`. */
  yieldToDeliveries(): Promise<void>;
};

export function createDeliveryPriority(clock: Clock): DeliveryPriority {
  let underWay = 0;
  let pause: AbortController | null = null;

  return {
    async receive(receive) {
      underWay += 1;
      try {
        return await receive();
      } finally {
        underWay -= 1;
        if (underWay === 0) pause?.abort("received");
      }
    },
    async yieldToDeliveries() {
      await new Promise((resolve) => setImmediate(resolve));
      if (underWay === 0) return;
      pause = new AbortController();
      await clock.sleep(runtimeLimits.deliveryPriorityMs, pause.signal).catch(() => undefined);
      pause = null;
    },
  };
}
