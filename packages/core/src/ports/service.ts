import type { Payment, PaymentSession } from "../domain/payment.ts";
import type { SessionReading } from "../domain/session-reading.ts";

/**
 * What the core asks of the service. Errors are thrown as CheckoutError: `service_unavailable` (retryable, also while
 * the outcome is unknown), `session_refused` (final: the body or the key was refused), `session_unusable`.
 */
export interface Service {
  /** POST /checkout-sessions with the stored body, byte for byte, under `key`. */
  openSession(want: {
    request: string;
    key: string;
    account: string | null;
    deadlineMs: number;
  }): Promise<PaymentSession>;
  /** GET /checkout-sessions/{id} with the credential that opened it. */
  readSession(payment: Payment, deadlineMs: number): Promise<SessionReading>;
}
