import type { CheckoutSession, ServiceClient } from "@tillkit/client";
import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import { safeReason } from "../domain/safe-text.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";
import type { Service } from "../ports/service.ts";

/** A session that does not say when it expires lives as long as the service's default. Milliseconds. */
const SESSION_LIFE_MS = 60 * 60_000;

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
      const { data } = await asCheckoutErrors(() => client.checkoutSessions.create(request, call));
      return { id: data.id, url: data.url, expiresAt: data.expiresAt ?? clock.now() + SESSION_LIFE_MS };
    },
    async readSession({ session }, deadlineMs) {
      if (session === null) return {};
      try {
        const { data } = await client.checkoutSessions.read(session.id, { deadlineMs });
        return toReading(data);
      } catch (error) {
        // A session of ours that the service does not know is no answer about it: a finding, not a failure to retry for ever.
        if (codeOf(error) === "not_found" || codeOf(error) === "answer_unusable") return {};
        throw toCheckoutError(error, false);
      }
    },
  };
}

function toReading(session: CheckoutSession): SessionReading {
  const reference = session.metadata?.tillkit_reference;
  return {
    id: session.id,
    status: session.status,
    wireAmount: session.amount,
    currency: session.currencyCode,
    reference: typeof reference === "string" ? reference : undefined,
    environment: session.environment,
    account: session.account,
    transactionId: session.transactionId,
  };
}

async function asCheckoutErrors<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (error) {
    throw toCheckoutError(error, FINAL.has(codeOf(error)));
  }
}

function toCheckoutError(error: unknown, final: boolean): CheckoutError {
  const requestId =
    typeof error === "object" && error !== null && "requestId" in error ? String(error.requestId) : null;
  const reason = `${codeOf(error)}: ${safeReason(error)}`;
  return final
    ? new CheckoutError("session_refused", `The service refused this checkout (${reason})`, { requestId, cause: error })
    : new CheckoutError("service_unavailable", `The service cannot answer now (${reason})`, {
        retryable: true,
        requestId,
        cause: error,
      });
}
