import type { ProcessedDelivery } from "../domain/delivery.ts";
import type { Job, JobError } from "../domain/job.ts";

/** `attempts` counts from 1. */
export type Attempt = Pick<Job, "attempts">;

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
