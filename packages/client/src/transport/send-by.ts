import { ServiceError } from "../errors/service-error.ts";
import { systemClock } from "../system/clock.ts";

/** The last moment at which a request may be sent. A transport compares it right before the first byte. */
export type SendBy = {
  /** Milliseconds since 1970. */
  readonly at: number;
  isOver(): boolean;
};

export type SendByClock = { now(): number; monotonicNow?(): number };

/** The service remembers an Idempotency-Key for a day. A moment that lies further ahead was dated by a wrong clock. */
const KEY_LIFE_MS = 24 * 3_600_000;

/** A wall clock is set back by less than this in the course of its usual corrections. */
const USUAL_CORRECTION_MS = 1_000;

/**
 * Compares in wall-clock and in monotonic time, because each of them can stand still: a suspended machine stops the monotonic clock
 * and its timers, and the wall clock can be set back. Where both happen, nobody knows how long the request has waited: it is not sent.
 */
export function createSendBy(at: number, clock: SendByClock = systemClock): SendBy {
  const monotonicNow = () => clock.monotonicNow?.() ?? performance.now();
  const [startedAt, monotonicStartedAt] = [clock.now(), monotonicNow()];
  const msLeft = Math.min(at - startedAt, KEY_LIFE_MS);
  const wasSetBack = () => clock.now() < startedAt - USUAL_CORRECTION_MS;
  return {
    at,
    // NaN is no time either.
    isOver: () => !(clock.now() < at) || !(monotonicNow() - monotonicStartedAt < msLeft) || wasSetBack(),
  };
}

/** The error of a request of which no byte was sent. */
export function notSent(): ServiceError {
  return new ServiceError(
    "not_sent",
    "The request was not sent: the connection was ready only after the last moment for it.",
  );
}
