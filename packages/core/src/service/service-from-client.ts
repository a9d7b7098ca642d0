import type { CheckoutSession, OpenEnum, ServiceClient, ServiceError, Transaction } from "@tillkit/client";
import { CheckoutError, codeOf, requestIdOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";
import type { Service, TransactionReading } from "../ports/service.ts";
import { readOurMetadata } from "../signing/our-metadata.ts";
import { listDeliveredEvents } from "./list-delivered-events.ts";
import { callOptions, PAGE_SIZE, readRefundList, toRefundReading } from "./read-refund-list.ts";
import { readWebhookEndpoint } from "./read-webhook-endpoint.ts";
import { testEndpointAt } from "./test-webhook-endpoint.ts";
import { KEY_REFUSED_CODES, tryKey } from "./try-key.ts";

/**
 * After these errors the same POST can never succeed. A payment whose session was refused ends, and the next attempt is a new
 * payment. A refused refund has failed, unless it is in doubt.
 */
const FINAL_CODES: ReadonlySet<string> = new Set([
  "bad_request",
  "validation_failed",
  "amount_invalid",
  "not_found",
  "conflict",
  "idempotency_key_reused",
  "response_unusable",
  "request_invalid",
]);

/** Implements the Service port with a client of the service's API. */
export function serviceFromClient(client: ServiceClient, clock: Clock): Service {
  return {
    async openSession({ request, key, account, deadlineMs, sendBy }) {
      const call = { idempotencyKey: key, sendBy, ...callOptions({ account }, deadlineMs) };
      const { data } = await asCheckoutErrors("session_refused", () => client.checkoutSessions.create(request, call));
      return { id: data.id, url: data.url, expiresAt: data.expiresAt ?? clock.now() + limits.sessionLifeMs };
    },
    async readSession({ session }, deadlineMs) {
      if (session === null) return {};
      try {
        const { data } = await client.checkoutSessions.read(session.id, { deadlineMs });
        return toReading(data);
      } catch (error) {
        const code = codeOf(error);
        if (KEY_REFUSED_CODES.has(code)) return { keyRefused: code };
        if (NO_READING_CODES.has(code)) return {};
        throw toCheckoutError(error, null);
      }
    },
    async refund({ request, key, account, deadlineMs, sendBy }) {
      const call = { idempotencyKey: key, sendBy, ...callOptions({ account }, deadlineMs) };
      try {
        const { data } = await asCheckoutErrors("refund_refused", () => client.refunds.create(request, call));
        return toRefundReading(data);
      } catch (error) {
        const refusal = moreThanRefused(error);
        throw refusal === null ? error : toCheckoutError((error as CheckoutError).cause, refusal);
      }
    },
    async readTransaction({ id, account, deadlineMs }) {
      try {
        const { data } = await client.transactions.read(id, callOptions({ account }, deadlineMs));
        return toTransaction(data);
      } catch (error) {
        if (NO_TRANSACTION_CODES.has(codeOf(error))) return null;
        throw toCheckoutError(error, null);
      }
    },
    async *listTransactions({ from, until, account, deadlineMs }) {
      const query = {
        startDate: new Date(from).toISOString(),
        ...(until === undefined ? {} : { endDate: new Date(until).toISOString() }),
        limit: PAGE_SIZE,
      };
      try {
        for await (const row of client.transactions.list(query, callOptions({ account }, deadlineMs)))
          yield toTransaction(row);
      } catch (error) {
        throw toCheckoutError(error, null);
      }
    },
    async readRefunds(payment, query) {
      return await asCheckoutErrors(null, () => readRefundList(client, payment, query));
    },
    async *listDeliveredEvents(query) {
      try {
        yield* listDeliveredEvents(client, query);
      } catch (error) {
        throw toCheckoutError(error, null);
      }
    },
    readEndpoint: (query) => asCheckoutErrors(null, () => readWebhookEndpoint(client, query)),
    tryKey: (deadlineMs) => asCheckoutErrors(null, () => tryKey(client, deadlineMs)),
    testEndpoint: (query) => asCheckoutErrors(null, () => testEndpointAt(client, query)),
  };
}

/**
 * Errors after which nothing is known about one session. They are no outage: other sessions may be readable, and the shopper can
 * be sent to a new session. An event may contain any text as an id; `request_invalid` means that the text cannot be one of the service.
 */
const NO_READING_CODES: ReadonlySet<string> = new Set([
  "not_found",
  "forbidden",
  "response_unusable",
  "response_unreadable",
  "request_invalid",
]);

const NO_TRANSACTION_CODES: ReadonlySet<string> = new Set(["not_found", "response_unusable", "request_invalid"]);

function toTransaction(row: Transaction): TransactionReading {
  const { id, publicId: code, sessionId, metadata, feeAmount, netAmount, refundedAmount, status, createdAt } = row;
  return {
    id,
    code,
    sessionId,
    ...readOurMetadata(metadata),
    wireAmount: row.grossAmount,
    feeAmount,
    netAmount,
    refundedAmount,
    currency: row.currencyCode,
    status: textOf(status),
    provider: row.providerCode,
    createdAt,
  };
}

function toReading(session: CheckoutSession): SessionReading {
  return {
    id: session.id,
    status: textOf(session.status),
    wireAmount: session.amount,
    currency: session.currencyCode,
    ...readOurMetadata(session.metadata),
    environment: textOf(session.environment),
    account: session.account,
    transactionId: session.transactionId,
  };
}

/** A value that this version does not know stays the text that the service sent. */
function textOf(value: OpenEnum<string> | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

type Refusal = "session_refused" | "refund_refused" | "refund_reason_refused" | "refund_key_reused";

/**
 * `refusal`: the error code for a final refusal of the service; null where every failure is retryable. If an earlier request of
 * the same call may have made the refund, a later refusal does not prove that none exists, so it is reported as retryable.
 */
async function asCheckoutErrors<Value>(refusal: Refusal | null, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    const isInDoubt = refusal === "refund_refused" && mayHaveSucceeded(error);
    throw toCheckoutError(error, FINAL_CODES.has(codeOf(error)) && !isInDoubt ? refusal : null);
  }
}

// A refusal of `reason` alone is the refusal of our mark: the same refund without it may be accepted. A refusal of the key says that a
// request was sent under it before.
function moreThanRefused(error: unknown): Refusal | null {
  if (codeOf(error) !== "refund_refused") return null;
  const { code, details } = ((error as CheckoutError).cause ?? {}) as Pick<ServiceError, "code" | "details">;
  if (code === "idempotency_key_reused") return "refund_key_reused";
  const fields = Object.keys(details?.fields ?? {});
  return fields.length === 1 && fields[0] === "reason" ? "refund_reason_refused" : null;
}

function mayHaveSucceeded(error: unknown): boolean {
  return typeof error === "object" && error !== null && "mayHaveSucceeded" in error && error.mayHaveSucceeded === true;
}

function toCheckoutError(error: unknown, refusal: Refusal | null): CheckoutError {
  const requestId = requestIdOf(error);
  const reason = `${codeOf(error)}: ${safeReason(error)}`;
  if (refusal) {
    return new CheckoutError(refusal, `The service refused this (${reason})`, { requestId, cause: error });
  }
  return new CheckoutError("service_unavailable", `The service cannot answer now (${reason})`, {
    retryable: true,
    requestId,
    cause: error,
  });
}
