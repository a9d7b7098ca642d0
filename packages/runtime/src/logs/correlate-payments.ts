import type { Service, Tenants } from "@tillkit/core/hosts";
import type { Correlation } from "./correlation.ts";

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
