import { CheckoutError, codeOf } from "../domain/checkout-error.ts";
import type { Service } from "../ports/service.ts";
import type { Tenants } from "../ports/tenants.ts";
import type { CircuitBreakers } from "./circuit-breakers.ts";

/** Tenants whose services are left alone while they do not answer. Opening a checkout is always tried: a shopper waits for it. */
export function guardTenants(tenants: Tenants, breakers: CircuitBreakers): Tenants {
  return {
    credentialFor: (storeId, environment) => tenants.credentialFor(storeId, environment),
    endpoint: (endpointId) => tenants.endpoint(endpointId),
    service: async (credentialId) =>
      guardService(await tenants.service(credentialId), `credential:${credentialId}`, breakers),
  };
}

function guardService(service: Service, about: string, breakers: CircuitBreakers): Service {
  async function listen<Value>(paymentId: string, call: () => Promise<Value>): Promise<Value> {
    try {
      const value = await call();
      breakers.record(about, paymentId, true);
      return value;
    } catch (error) {
      breakers.record(about, paymentId, codeOf(error) !== "service_unavailable");
      throw error;
    }
  }

  async function guard<Value>(paymentId: string, call: () => Promise<Value>): Promise<Value> {
    if (breakers.openUntil(about) === null) return await listen(paymentId, call);
    const message = "The service does not answer: it is asked again in a moment.";
    throw new CheckoutError("service_unavailable", message, { retryable: true });
  }

  return {
    openSession: (want) => listen(want.key, () => service.openSession(want)),
    readSession: (payment, ms) => guard(payment.id, () => service.readSession(payment, ms)),
    refund: (want) => guard(want.key, () => service.refund(want)),
    readRefunds: (payment, want) => guard(payment.id, () => service.readRefunds(payment, want)),
    readTransaction: (want) => guard(want.id, () => service.readTransaction(want)),
    listTransactions: (want) => service.listTransactions(want),
  };
}
