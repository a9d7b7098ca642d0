import type { CheckoutSession, ServiceClient, ServiceRefund, Transaction } from "@tillkit/client";
import { CheckoutError, codeOf, requestIdOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Payment } from "../domain/payment.ts";
import type { RefundReading } from "../domain/refund.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";
import type { Service, TransactionReading } from "../ports/service.ts";
import { readOurMetadata } from "../signing/our-metadata.ts";

/** After these the same POST can never open a session: the payment ends, and a new try is a new payment. */
const FINAL: ReadonlySet<string> = new Set([
  "bad_request",
  "validation_failed",
  "amount_invalid",
  "not_found",
  "conflict",
  "idempotency_key_reused",
  "response_unusable",
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
        if (SAYS_NOTHING.has(codeOf(error))) return {};
        throw toCheckoutError(error, null);
      }
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
    async readRefunds(payment, want) {
      return await asCheckoutErrors(null, () => refundsOf(client, payment, want));
    },
  };
}

/**
 * Answers about a session of ours that say nothing of it. They are no outage: other sessions may be readable, and a shopper can
 * be sent to a new one.
 */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  "not_found",
  "unauthorized",
  "forbidden",
  "api_access_suspended",
  "response_unusable",
  "response_unreadable",
]);

// An event may name anything: what the service would never have given as an id (`request_invalid`) is no transaction of its.
const NO_SUCH_TRANSACTION: ReadonlySet<string> = new Set(["not_found", "response_unusable", "request_invalid"]);

// Refunds that are made meanwhile move older ones from page to page: a list of more than one page is read twice.
async function refundsOf(
  client: ServiceClient,
  payment: Payment,
  want: { readonly transactionId: string; readonly since: number; readonly deadlineMs: number },
): Promise<readonly RefundReading[]> {
  const found = new Map<string, RefundReading>();
  for (let pass = 0; pass < 2; pass += 1) {
    const query = { startDate: new Date(want.since).toISOString(), limit: REFUNDS_A_PAGE };
    let seen = 0;
    for await (const refund of client.refunds.list(query, callFor(payment, want.deadlineMs))) {
      if (refund.transactionId === want.transactionId) found.set(refund.id, toRefundReading(refund));
      seen += 1;
      if (seen >= limits.refundsLookedThrough) break;
    }
    if (seen < REFUNDS_A_PAGE) break;
  }
  return [...found.values()];
}

const REFUNDS_A_PAGE = 100;

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

function toRefundReading({ id, status, amount, refundedAmount, createdAt }: ServiceRefund): RefundReading {
  const known = (["completed", "failed"] as const).find((final) => final === status);
  return { id, status: known ?? "pending", wireAmount: amount ?? refundedAmount ?? 0, createdAt };
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

/**
 * `refusal`: what a final answer of the service means; null where every failure is worth another try. A refund whose earlier try
 * may have landed is not refused, whatever the last answer says: it is in doubt.
 */
async function asCheckoutErrors<Value>(refusal: Refusal | null, call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    const isInDoubt = refusal === "refund_refused" && mayHaveLanded(error);
    throw toCheckoutError(error, FINAL.has(codeOf(error)) && !isInDoubt ? refusal : null);
  }
}

function mayHaveLanded(error: unknown): boolean {
  return typeof error === "object" && error !== null && "mayHaveLanded" in error && error.mayHaveLanded === true;
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
