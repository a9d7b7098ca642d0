import { CheckoutError, codeOf, requestIdOf } from "../domain/checkout-error.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";
import { type KeyAlarm, serviceCodeOf } from "./key-alarm.ts";

/** Tenants whose services are guarded by circuit breakers. Opening a session is always tried, because a shopper waits for it. */
export function guardTenants(tenants: Tenants, breakers: CircuitBreakers, alarm: KeyAlarm): Tenants {
  return {
    credentialFor: (storeId, environment) => tenants.credentialFor(storeId, environment),
    endpoint: (endpointId) => tenants.endpoint(endpointId),
    service: async (credentialId) =>
      guardService(await tenants.service(credentialId), { credentialId, breakers, alarm }),
  };
}

type Guards = { readonly credentialId: string; readonly breakers: CircuitBreakers; readonly alarm: KeyAlarm };

function guardService(service: Service, { credentialId, breakers, alarm }: Guards): Service {
  const target = `credential:${credentialId}`;

  async function callAndRecord<Value>(paymentId: string, call: () => Promise<Value>): Promise<Value> {
    try {
      const value = await call();
      breakers.record(target, paymentId, true);
      return value;
    } catch (error) {
      const isOutage = codeOf(error) === "service_unavailable";
      breakers.record(target, paymentId, !isOutage);
      alarm.refused(credentialId, serviceCodeOf(error));
      throw isOutage ? outageError(error) : error;
    }
  }

  // While a breaker is open, a retry before its next probe would be refused, so the error carries the time of a useful retry.
  function outageError(error: unknown): unknown {
    const retryAt = breakers.retryAt(target);
    if (retryAt === null || !(error instanceof Error)) return error;
    const options = { retryable: true, requestId: requestIdOf(error), retryAt, cause: error };
    return new CheckoutError("service_unavailable", error.message, options);
  }

  async function callIfClosed<Value>(paymentId: string, call: () => Promise<Value>): Promise<Value> {
    if (breakers.openUntil(target) === null) return await callAndRecord(paymentId, call);
    const message = "The service does not respond at the moment; the call is tried again soon.";
    throw outageError(new CheckoutError("service_unavailable", message, { retryable: true }));
  }

  return {
    openSession: (input) => callAndRecord(input.key, () => service.openSession(input)),
    async readSession(payment, deadlineMs) {
      const reading = await callIfClosed(payment.id, () => service.readSession(payment, deadlineMs));
      alarm.refused(credentialId, reading.keyRefused);
      return reading;
    },
    refund: (input) => callIfClosed(input.key, () => service.refund(input)),
    readRefunds: (payment, query) => callIfClosed(payment.id, () => service.readRefunds(payment, query)),
    readTransaction: (query) => callIfClosed(query.id, () => service.readTransaction(query)),
    listTransactions: (query) => service.listTransactions(query),
    listDeliveredEvents: (query) => service.listDeliveredEvents(query),
    ...(service.readEndpoint && { readEndpoint: service.readEndpoint }),
    ...(service.tryKey && { tryKey: service.tryKey }),
    ...(service.testEndpoint && { testEndpoint: service.testEndpoint }),
  };
}
