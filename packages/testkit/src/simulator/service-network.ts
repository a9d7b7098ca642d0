import { CheckoutError, type Random } from "@tillkit/core";
import type { Hazards } from "./hazards/hazards.ts";
import { happens, randomMs } from "./hazards/random-choice.ts";
import type { SimulatedRefund } from "./service-readings.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

export type ServiceOptions = {
  readonly clock: SimulatedClock;
  readonly random: Random;
  /** Decides the hard things, so that everything else under a seed stays what it was. */
  readonly hazardRandom: Random;
  readonly hazards: () => Hazards["service"];
  /** When the first shopper came: a silence is counted from then on. */
  readonly startedAt: number;
  /** Told when a refund that had waited is decided. */
  readonly onRefundDecided: (refund: SimulatedRefund) => void;
};
/** A call that takes longer than its caller waits: the caller hears nothing, and the request lands all the same. */
export function createCalls({ clock, random, hazards }: ServiceOptions) {
  return async function call<Answer>(deadlineMs: number, work: () => Answer): Promise<Answer> {
    const { down, lost, latencyMs, outage } = hazards();
    const [there, back] = [randomMs(random, latencyMs), randomMs(random, latencyMs)];
    if (outage !== null || happens(random, down)) {
      await clock.sleep(Math.min(there, deadlineMs));
      throw unavailable();
    }
    if (there >= deadlineMs) {
      clock.setTimer(there, () => void attempt(work));
      await clock.sleep(deadlineMs);
      throw unavailable();
    }
    await clock.sleep(there);
    const answer = work();
    const isLost = happens(random, lost);
    await clock.sleep(isLost ? deadlineMs - there : Math.min(back, deadlineMs - there));
    if (isLost || there + back >= deadlineMs) throw unavailable();
    return answer;
  };
}
// Nobody hears what the service says to a request whose caller is gone.

export function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // Refused: nothing happened.
  }
}
export function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
