import type { Payment, PaymentSession } from "../domain/payment.ts";

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
  /** The payment's transaction: by what the session says, else by looking for our reference. Null when there is none yet. */
  findTransaction(payment: Payment, deadlineMs: number): Promise<string | null>;
}

/** What an answer said. A field that is absent was not said; it is never guessed. */
export type SessionReading = {
  readonly id?: string;
  readonly status?: string;
  readonly wireAmount?: number;
  readonly currency?: string;
  readonly reference?: string;
  readonly environment?: string;
  readonly account?: string;
  readonly transactionId?: string;
};
