import type { Payment, PaymentSession } from "../domain/payment.ts";
import type { RefundReading } from "../domain/refund.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { EndpointReading, EndpointTest } from "./endpoint-reading.ts";

/**
 * The engine's port to the payment service. Methods throw CheckoutError: `service_unavailable` (retryable, also when the outcome
 * is unknown), `session_refused` (final: the service refused the body or the key), `session_unusable`.
 */
export interface Service {
  /** POST /checkout-sessions with the stored body, byte for byte, under `key`. */
  openSession(input: {
    request: string;
    key: string;
    account: string | null;
    deadlineMs: number;
    /** Nothing is sent after this time, when the service may have dropped the key. Milliseconds since 1970. */
    sendBy?: number;
  }): Promise<PaymentSession>;
  /**
   * GET /checkout-sessions/{id} with the credential that opened the session. A response that does not describe the session (404,
   * 403, an empty body) is returned as `{}`. The id of a payment that the ledger has lost is not known: its session's id stands for it.
   */
  readSession(payment: Pick<Payment, "id" | "session">, deadlineMs: number): Promise<SessionReading>;
  /**
   * POST /refunds with the stored body, byte for byte, under `key`. Also throws `refund_refused`: the service refused this
   * request, and every attempt within this call got a response; `refund_reason_refused`: the same, and the refusal is about the
   * field `reason`; `refund_key_reused`: the service knows the key with another body, so a request was sent under it before.
   */
  refund(input: {
    paymentId: string;
    request: string;
    key: string;
    account: string | null;
    deadlineMs: number;
    /** Nothing is sent after this time, when the service may have dropped the key. Milliseconds since 1970. */
    sendBy: number;
  }): Promise<RefundReading>;
  /** The refunds of a transaction made since `since`, including refunds that were made in the service's dashboard (GET /refunds). */
  readRefunds(payment: Payment, query: RefundsQuery): Promise<RefundList>;
  /** GET /transactions/{id}; null when the transaction does not exist. */
  readTransaction(query: {
    id: string;
    account: string | null;
    deadlineMs: number;
  }): Promise<TransactionReading | null>;
  /** All transactions of an account in any order, other integrations' included (GET /transactions). Times in milliseconds since 1970. */
  listTransactions(query: {
    from: number;
    until?: number;
    account: string | null;
    deadlineMs: number;
  }): AsyncIterable<TransactionReading>;
  /**
   * The events that the service delivered, or tried to deliver, to the webhook endpoint with this address since `since`, newest first and
   * once for each attempt (GET /webhooks/{id}/logs). Nothing where no endpoint has this address. Disputes can be read nowhere else.
   */
  listDeliveredEvents(query: DeliveredEventsQuery): AsyncIterable<LoggedEvent>;
  /**
   * The webhook endpoint with this address and its newest attempts (GET /webhooks, GET /webhooks/{id}/logs). Null: the service has
   * no endpoint with this address. The operators' pages show both; without this method the pages leave them out.
   */
  readEndpoint?(query: { url: string; maxAttempts: number; deadlineMs: number }): Promise<EndpointReading | null>;
  /**
   * Lets the service send a test event to the webhook endpoint with this address (POST /webhooks/{id}/test), and reads in its delivery log
   * what the address answered. Null: the service has no endpoint with this address.
   */
  testEndpoint?(query: { url: string; deadlineMs: number }): Promise<EndpointTest | null>;
  /** Tries the API key with one cheap read (GET /accounts), which a server does when it starts. */
  tryKey?(deadlineMs: number): Promise<KeyReading>;
}

/**
 * What the service says of a key. `code`: its error code, `unauthorized` or `api_access_suspended`. `environment`: of the key's account, where
 * the response named it.
 */
export type KeyReading =
  | { readonly isAccepted: true; readonly environment?: string }
  | { readonly isAccepted: false; readonly code: string };

/** `since` in milliseconds since 1970. */
export type DeliveredEventsQuery = { readonly url: string; readonly since: number; readonly deadlineMs: number };

/**
 * An event in a delivery log. `payload`: the body that was sent, as `parseEvent` of the client reads it. `at`: when the attempt was made,
 * in milliseconds since 1970.
 */
export type LoggedEvent = { readonly payload: Readonly<Record<string, unknown>>; readonly at: number };

/** `transactionCode`: the `txn_…` of the same transaction, where it is known. `since` in milliseconds since 1970. */
export type RefundsQuery = {
  readonly transactionId: string;
  readonly transactionCode?: string | undefined;
  readonly since: number;
  readonly deadlineMs: number;
};

/**
 * `refunds`: the rows that name the transaction. `unassigned`: rows that may belong to it, because they name no transaction, or name
 * one by the other kind of id. `elsewhere`: rows of other transactions whose reason begins like a mark of ours: one with a mark of this payment
 * names a transaction that a restored ledger has forgotten. `isComplete`: no refund of the transaction can be missing, because every row of the service's list
 * was read.
 */
export type RefundList = {
  readonly refunds: readonly RefundReading[];
  readonly unassigned: readonly RefundReading[];
  readonly elsewhere: readonly RefundReading[];
  readonly isComplete: boolean;
};

/** A transaction as the service reports it. A field is undefined when the response did not contain it. Amounts in the service's unit. */
export type TransactionReading = {
  readonly id?: string | undefined;
  /** `txn_…`: the service's short id of the same transaction. */
  readonly code?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly reference?: string | undefined;
  /** The signed facts of the order that we sent as metadata when the session was opened. */
  readonly signedOrder?: string | undefined;
  readonly wireAmount?: number | undefined;
  readonly feeAmount?: number | undefined;
  readonly netAmount?: number | undefined;
  /** Sum of completed refunds. */
  readonly refundedAmount?: number | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  /** How the shopper paid, as the service calls it: `wave`, `card`. */
  readonly provider?: string | undefined;
  readonly createdAt?: number | undefined;
};
