import type { ConfirmResult } from "../confirm/confirm-result.ts";
import type { ProcessedDelivery } from "../domain/delivery.ts";
import { BUSY, isWaiting, type JobError } from "../domain/job.ts";
import type { Engine } from "../engine.ts";

/**
 * The result of one attempt of a job. `processed`: the outcome of a delivery. `retryAt`: the time of the next attempt; null makes
 * a dead-letter job. `isExactTime`: the platform prescribes this time, so no backoff is added. `payload` and `resetAttempts`: see
 * `Change.retried`.
 */
export type JobResult =
  | "done"
  | { readonly processed: ProcessedDelivery }
  | {
      readonly retryAt: number | null;
      readonly error: JobError;
      readonly isExactTime?: boolean;
      readonly payload?: string;
      readonly resetAttempts?: boolean;
      /** The service's id of the failed request. */
      readonly requestId?: string | null;
    };

/** What was read is older than what is known: the job reads it again soon. */
export function readAgain({ clock }: Pick<Engine, "clock">, message: string): JobResult {
  return { retryAt: clock.now(), error: { code: "stale", message } };
}

/** The result of a job that confirmed these payments. */
export function resultOf(
  { clock }: Pick<Engine, "clock">,
  results: readonly ConfirmResult[],
): Exclude<JobResult, { processed: unknown }> {
  const unfinished = results.filter(({ retryAt, error }) => retryAt !== null || error !== null);
  if (unfinished.length === 0) return "done";
  const error = joinErrors(unfinished.map((confirmed) => confirmed.error ?? BUSY));
  const times = unfinished.map(({ retryAt }) => retryAt).filter((at) => at !== null);
  const retryAt = times.length === 0 ? null : Math.max(clock.now(), Math.min(...times));
  return { retryAt, error, isExactTime: unfinished.some(({ isPlatformSchedule }) => isPlatformSchedule === true) };
}

// The joined error counts as a failure, and not as waiting, if one of the payments failed.
function joinErrors(errors: readonly JobError[]): JobError {
  const first = errors.find((error) => !isWaiting(error)) ?? errors[0] ?? BUSY;
  return { ...first, message: errors.map(({ message }) => message).join(" ") };
}
