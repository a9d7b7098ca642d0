import type { CheckoutSession, Refund, ServiceClient, Transaction } from "@tillkit/client";
import { CheckoutError, codeOf, requestIdOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import { readOurMetadata } from "../domain/our-metadata.ts";
import type { Payment } from "../domain/payment.ts";
import type { RefundReading } from "../domain/refund.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";
import type { Service, TransactionReading } from "../ports/service.ts";

/** After these the same POST can never open a session: the payment ends, and a new try is a new payment. */
const FINAL: ReadonlySet<string> = new Set([
  "bad_request",
  "validation_failed",
  "amount_invalid",
  "not_found",
  "conflict",
  "idempotency_key_reused",
  "answer_unusable",
  "request_invalid",
]);

/** The Service port on a client of the service's API (POST and GET /checkout-sessions). */
export function serviceFromClient(client: ServiceClient, clock: Clock): Service {
  return {
    async openSession({ request, key, account, deadlineMs }) {
      const call = { idempotencyKey: key, deadlineMs, ...(account === null ? {} : { serviceAccount: account }) };
      const { data } = await asCheckoutErrors("session_refused", () => client.checkoutSessions.create(request, call));
      return { id: data.id, url: data.url, expiresAt: data.expiresAt ?? clock.now() + limits.sessionLifeMs };
    },
    async readSession({ session }, deadlineMs) {
      if (session === null) return {};
      try {
        const { data } = await client.checkoutSessions.read(session.id, { deadlineMs });
        return toReading(data);
      } catch (error) {
        // A session of ours that the service does not know is no answer about it: a finding, not a failure to retry for ever.
        if (codeOf(error) === "not_found" || codeOf(error) === "answer_unusable") return {};
        throw toCheckoutError(error, null);
      }
    },
    async findTransaction(payment, deadlineMs) {
      const { transactionId } = await this.readSession(payment, deadlineMs);
      return transactionId ?? (await asCheckoutErrors(null, () => transactionByReference(client, payment, deadlineMs)));
    },
    async refund({ request, key, account, deadlineMs }) {
      const call = { idempotencyKey: key, deadlineMs, ...(account === null ? {} : { serviceAccount: account }) };
      const { data } = await asCheckoutErrors("refund_refused", () => client.refunds.create(request, call));
      return toRefundReading(data);
    },
    async readTransaction({ id, account, deadlineMs }) {
      try {
        const { data } = await client.transactions.read(id, callFor({ account }, deadlineMs));
        return toTransaction(data);
      } catch (error) {
        if (NO_SUCH_TRANSACTION.has(codeOf(error))) return null;
        throw toCheckoutError(error, null);
      }
    },
    async *listTransactions({ from, until, account, deadlineMs }) {
      const query = {
        startDate: new Date(from).toISOString(),
        ...(until === undefined ? {} : { endDate: new Date(until).toISOString() }),
        limit: 100,
      };
      try {
        for await (const row of client.transactions.list(query, callFor({ account }, deadlineMs)))
          yield toTransaction(row);
      } catch (error) {
        throw toCheckoutError(error, null);
      }
    },
    async readRefunds(payment, transactionId, deadlineMs) {
      return await asCheckoutErrors(null, () => refundsOf(client, payment, transactionId, deadlineMs));
    },
  };
}

// An event may name anything: what the service would never have given as an id (`request_invalid`) is no transaction of its.
const NO_SUCH_TRANSACTION: ReadonlySet<string> = new Set(["not_found", "answer_unusable", "request_invalid"]);

// The list has no filter for our reference; the payment's own time keeps it short.
async function transactionByReference(client: ServiceClient, payment: Payment, deadlineMs: number) {
  const query = { startDate: new Date(payment.createdAt).toISOString(), limit: 100 };
  let seen = 0;
  for await (const { id, metadata } of client.transactions.list(query, callFor(payment, deadlineMs))) {
    if (id !== undefined && metadata?.tillkit_reference === payment.reference) return id;
    seen += 1;
    if (seen >= limits.transactionsLookedThrough) break;
  }
  return null;
}

async function refundsOf(client: ServiceClient, payment: Payment, transactionId: string, deadlineMs: number) {
  const query = { startDate: new Date(payment.createdAt).toISOString(), limit: 100 };
  const found: RefundReading[] = [];
  let seen = 0;
  for await (const refund of client.refunds.list(query, callFor(payment, deadlineMs))) {
    if (refund.transactionId === transactionId) found.push(toRefundReading(refund));
    seen += 1;
    if (seen >= limits.refundsLookedThrough) break;
  }
  return found;
}

function callFor({ account }: Pick<Payment, "account">, deadlineMs: number) {
  return { deadlineMs, ...(account === null ? {} : { serviceAccount: account }) };
}

function toTransaction(row: Transaction): TransactionReading {
  const { id, sessionId, metadata, feeAmount, netAmount, refundedAmount, status, createdAt } = row;
  return {
    id,
    sessionId,
    ...readOurMetadata(metadata),
    wireAmount: row.grossAmount,
    feeAmount,
    netAmount,
    refundedAmount,
    currency: row.currencyCode,
    status,
    createdAt,
  };
}

function toRefundReading({ id, status, amount, refundedAmount }: Refund): RefundReading {
  const known = (["completed", "failed"] as const).find((final) => final === status);
  return { id, status: known ?? "pending", wireAmount: amount ?? refundedAmount ?? 0 };
}

function toReading(session: CheckoutSession): SessionReading {
  return {
    id: session.id,
    status: session.status,
    wireAmount: session.amount,
    currency: session.currencyCode,
    reference: readOurMetadata(session.metadata).reference,
    environment: session.environment,
    account: session.account,
    transactionId: session.transactionId,
  };
}

type Refusal = "session_refused" | "refund_refused";

/** `refusal`: what a final answer of the service means; null where every failure is worth another try. */
async function asCheckoutErrors<Value>(refusal: Refusal | null, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw toCheckoutError(error, FINAL.has(codeOf(error)) ? refusal : null);
  }
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
