import { CheckoutError, codeOf, requestIdOf } from "../domain/checkout-error.ts";
import { limits } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";

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

/** Says in the log that the service refuses an API key, at most once in `limits.keyAlarmMs` for each key. */
export type KeyAlarm = {
  /** `code`: the service's error code; any other value is ignored. */
  refused(credentialId: string, code: string | undefined): void;
};

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "The service refuses this API key. Set a valid key under the same credential id and restart.",
  api_access_suspended: "The service has suspended API access for this key. Ask the service's support.",
};

export function createKeyAlarm({ log, clock }: { readonly log: Log; readonly clock: Clock }): KeyAlarm {
  const saidAt = new Map<string, number>();
  return {
    refused(credentialId, code = "") {
      const advice = ADVICE[code];
      const now = clock.now();
      const ageMs = now - (saidAt.get(credentialId) ?? Number.NEGATIVE_INFINITY);
      // A negative age is unknown: the clock was set back since.
      if (advice === undefined || (ageMs >= 0 && ageMs < limits.keyAlarmMs)) return;
      saidAt.set(credentialId, now);
      log.error("credential.refused", { credentialId, code, reason: advice });
    },
  };
}

/** The code of the service's own error behind an error of the engine. */
function serviceCodeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("cause" in error)) return undefined;
  const { cause } = error;
  return serviceCodeOf(cause) ?? (cause === undefined ? undefined : codeOf(cause));
}
