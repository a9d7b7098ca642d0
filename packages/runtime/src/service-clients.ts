import { connectionFix, createServiceClient, type Hooks, isLoopbackUrl } from "@tillkit/client";
import type { Clock, Log, PaymentLedger } from "@tillkit/core";
import { type CreateClient, createSharedBudget, type Service, type Tenants } from "@tillkit/core/hosts";
import { canShareBudget } from "./ledger/ledger-capabilities.ts";
import type { Correlation } from "./logs/correlation.ts";

export type ServiceClientsOptions = {
  readonly ledger: PaymentLedger;
  readonly clock: Clock;
  /** Times the deadlines, pauses and retries of calls; the real time unless set. */
  readonly callClock?: Clock | undefined;
  /** The version of the service's API; the client's default unless set. */
  readonly version?: string | undefined;
  /** Called after each try of each call. */
  readonly onCall?: (call: ServiceCall) => void;
  readonly log: Log;
};

/** One try of one call to the service. `code` is undefined for a success, and `status` without an answer. */
export type ServiceCall = {
  /** The credential whose API key made the call. */
  readonly credentialId: string;
  readonly operation: string;
  readonly seconds: number;
  readonly code: string | undefined;
  readonly method: string;
  /** Without ids: `/checkout-sessions/{id}`. */
  readonly path: string;
  /** The service's host name. */
  readonly host: string;
  readonly status: number | undefined;
  /** 1 for the first try. */
  readonly attemptNumber: number;
};

/**
 * Creates clients of the service that report every try, and log every failed try with the service's request id. The calls of
 * an API key are counted over all processes that share the ledger. Calls to a sandbox on this machine are not counted.
 */
export function createServiceClients(options: ServiceClientsOptions): CreateClient {
  const { ledger, clock, callClock, version, onCall, log } = options;
  const hooksOf = (host: string, credentialId: string): Hooks => ({
    response({ operation, method, path, status, requestId, durationMs, attemptNumber, code, fault }) {
      const seconds = durationMs / 1_000;
      onCall?.({ credentialId, operation, seconds, code, method, path, host, status, attemptNumber });
      if (code === undefined) return;
      log.warn("service.call_failed", {
        operation,
        code,
        status: status ?? null,
        requestId,
        attempts: attemptNumber,
        durationMs: Math.round(durationMs),
        ...(fault === undefined ? {} : { reason: `${fault}${connectionFix(fault)}` }),
      });
    },
  });
  return function createClient({ apiKey, baseUrl, account, id: credentialId, environment }) {
    const isShared = canShareBudget(ledger) && !isLoopbackUrl(baseUrl);
    const budget = isShared ? createSharedBudget({ ledger, credentialId, environment, clock }) : undefined;
    const hooks = hooksOf(new URL(baseUrl).hostname, credentialId);
    return createServiceClient({ apiKey, baseUrl, account, hooks, budget, clock: callClock, version });
  };
}

/**
 * Wraps the lookup of API keys: every call to the service about a payment runs with the id of that payment in the log context, so that
 * the log line of a failed call names the payment.
 */
export function correlatePayments(tenants: Tenants, { run }: Correlation): Tenants {
  function correlated(service: Service): Service {
    return {
      // The idempotency key of a new session is the id of its payment.
      openSession: (request) => run({ paymentId: request.key }, () => service.openSession(request)),
      readSession: (payment, timeoutMs) =>
        run({ paymentId: payment.id }, () => service.readSession(payment, timeoutMs)),
      refund: (request) => run({ paymentId: request.paymentId }, () => service.refund(request)),
      readRefunds: (payment, query) => run({ paymentId: payment.id }, () => service.readRefunds(payment, query)),
      readTransaction: (query) => service.readTransaction(query),
      listTransactions: (query) => service.listTransactions(query),
      listDeliveredEvents: (query) => service.listDeliveredEvents(query),
      ...(service.readEndpoint && { readEndpoint: service.readEndpoint }),
      ...(service.tryKey && { tryKey: service.tryKey }),
      ...(service.testEndpoint && { testEndpoint: service.testEndpoint }),
    };
  }

  return {
    credentialFor: (storeId, environment) => tenants.credentialFor(storeId, environment),
    endpoint: (endpointId) => tenants.endpoint(endpointId),
    service: async (credentialId) => correlated(await tenants.service(credentialId)),
  };
}
