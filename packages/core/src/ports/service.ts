import type { Payment, PaymentSession } from "../domain/payment.ts";
import type { RefundReading } from "../domain/refund.ts";
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
  /**
   * GET /checkout-sessions/{id} with the credential that opened it. An answer that says nothing about the session (404, 403,
   * an empty body) is `{}`.
   */
  readSession(payment: Payment, deadlineMs: number): Promise<SessionReading>;
  /**
   * POST /refunds with the stored body, byte for byte, under `key`. Also throws `refund_refused`: the service refused this
   * request, and no earlier try of this call is without an answer.
   */
  refund(want: {
    paymentId: string;
    request: string;
    key: string;
    account: string | null;
    deadlineMs: number;
  }): Promise<RefundReading>;
  /** All refunds of a transaction made since then, those of the service's dashboard too (GET /refunds). */
  readRefunds(
    payment: Payment,
    want: { readonly transactionId: string; readonly since: number; readonly deadlineMs: number },
  ): Promise<readonly RefundReading[]>;
  /** GET /transactions/{id}; null when there is none. */
  readTransaction(want: { id: string; account: string | null; deadlineMs: number }): Promise<TransactionReading | null>;
  /** All transactions of an account, newest first or not, whoever opened them (GET /transactions). Times in milliseconds since 1970. */
  listTransactions(want: {
    from: number;
    until?: number;
    account: string | null;
    deadlineMs: number;
  }): AsyncIterable<TransactionReading>;
}

/** What the service says of a transaction; undefined = not said. Amounts in its own unit. */
export type TransactionReading = {
  readonly id?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly reference?: string | undefined;
  /** What we wrote about the order when the session was opened, signed. */
  readonly signedOrder?: string | undefined;
  readonly wireAmount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  /** Sum of completed refunds. */
  readonly refundedAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  readonly createdAt?: number | undefined;
};
