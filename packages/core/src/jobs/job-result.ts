import type { ProcessedDelivery } from "../domain/delivery.ts";
import type { JobError } from "../domain/job.ts";

/** Another worker holds the order's lease. */
export const BUSY: JobError = { code: "busy", message: "Another worker is writing this order." };

/** A request to the store, whose response was lost, may still take effect. */
export const WRITE_IN_FLIGHT: JobError = {
  code: "write_in_flight",
  message: "An earlier write may still take effect.",
};

/**
 * The result of one attempt of a job. `processed`: the outcome of a delivery. `retryAt`: the time of the next attempt; null makes
 * a dead-letter job. `isExactTime`: the platform prescribes this time, so no backoff is added.
 */
export type JobResult =
  | "done"
  | { readonly processed: ProcessedDelivery }
  | {
      readonly retryAt: number | null;
      readonly error: JobError;
      readonly isExactTime?: boolean;
      /** The service's id of the failed request. */
      readonly requestId?: string | null;
    };
