import { CheckoutError, type Random } from "@tillkit/core";
import type { Hazards } from "./hazards/hazards.ts";
import type { MoneyHazards } from "./hazards/money-hazards.ts";
import { happens, randomMs } from "./hazards/random-choice.ts";
import type { SimulatedRefund } from "./service-readings.ts";
import type { SimulatedClock } from "./simulated-clock.ts";

export type ServiceOptions = {
  readonly clock: SimulatedClock;
  readonly random: Random;
  /** A separate stream for rare hazards, so that all other choices of a seed stay the same. */
  readonly hazardRandom: Random;
  /** Another one, for what becomes of a refund. */
  readonly refundRandom: Random;
  readonly hazards: () => Hazards["service"];
  readonly money: () => MoneyHazards;
  /** The start of the history. The period of empty reads counts from then on. */
  readonly startedAt: number;
  /** How long the service remembers an Idempotency-Key. */
  readonly keyLifeMs: number;
  /** Whether our process sends nothing, because its clock is past the request's last moment. */
  readonly isTooLate: (sendBy: number) => boolean;
  /** How long the service shows what it has made. */
  readonly memoryMs: number;
  /** Called when a pending refund is decided. */
  readonly onRefundDecided: (refund: SimulatedRefund) => void;
};

/** Creates calls with latency and faults. A call that takes longer than its deadline fails for the caller but still takes effect. */
export function createCalls({ clock, random, hazards }: ServiceOptions) {
  return async function call<Answer>(deadlineMs: number, work: () => Answer): Promise<Answer> {
    const { down, lost, latencyMs, outage } = hazards();
    const [requestMs, answerMs] = [randomMs(random, latencyMs), randomMs(random, latencyMs)];
    if (outage !== null || happens(random, down)) {
      await clock.sleep(Math.min(requestMs, deadlineMs));
      throw unavailable();
    }
    if (requestMs >= deadlineMs) {
      clock.setTimer(requestMs, () => performUnanswered(work));
      await clock.sleep(deadlineMs);
      throw unavailable();
    }
    await clock.sleep(requestMs);
    const answer = work();
    const isLost = happens(random, lost);
    const remainingMs = deadlineMs - requestMs;
    await clock.sleep(isLost ? remainingMs : Math.min(answerMs, remainingMs));
    if (isLost || answerMs >= remainingMs) throw unavailable();
    return answer;
  };
}

// The caller gave up: the request takes effect and its answer is lost.
function performUnanswered(work: () => unknown): void {
  try {
    work();
  } catch {
    // The service rejected the request.
  }
}

export function unavailable(): CheckoutError {
  return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
}
