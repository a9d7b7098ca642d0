import type { PaymentStatus } from "../payments/payment-status.ts";

/**
 * `retryAt`: the store could not be told yet; the time (milliseconds since 1970) at which it is worth trying again. Null
 * with an `error`: trying again does not help before the owner renewed the connection. `scheduled`: the platform itself
 * names that time.
 */
export type ConfirmResult = PaymentStatus & {
  readonly retryAt: number | null;
  readonly error: string | null;
  readonly isPlatformSchedule?: boolean;
};
