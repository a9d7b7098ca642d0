import type { JobError } from "../domain/job.ts";
import type { PaymentStatus } from "../payments/payment-status.ts";

/**
 * `retryAt`: the time of the next attempt to update the store, in milliseconds since 1970; null when no attempt is needed. Null with
 * an `error`: an attempt does not help until a person acts in the store. `isPlatformSchedule`: `retryAt` needs no
 * backoff, because the platform prescribes it or the store is probed then.
 */
export type ConfirmResult = PaymentStatus & {
  readonly retryAt: number | null;
  readonly error: JobError | null;
  readonly isPlatformSchedule?: boolean;
};
