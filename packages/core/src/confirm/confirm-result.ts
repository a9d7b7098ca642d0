import type { JobError } from "../domain/job.ts";
import type { PaymentStatus } from "../payments/payment-status.ts";

/**
 * `retryAt`: the store is not updated yet; the time of the next attempt in milliseconds since 1970. Null with an `error`: a retry
 * does not help until the merchant renews the connection. `isPlatformSchedule`: the platform prescribes the time.
 */
export type ConfirmResult = PaymentStatus & {
  readonly retryAt: number | null;
  readonly error: JobError | null;
  readonly isPlatformSchedule?: boolean;
};
