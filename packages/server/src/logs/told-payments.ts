import type { Service, Tenants } from "@tillkit/core";
import type { Correlation } from "./correlation.ts";

/** Tenants whose calls to the service know the payment they are made for, so that the log line of a failure names it. */
export function tellPayments(tenants: Tenants, { run }: Correlation): Tenants {
  function telling(service: Service): Service {
    return {
      openSession: (want) => run({ paymentId: want.key }, () => service.openSession(want)),
      readSession: (payment, ms) => run({ paymentId: payment.id }, () => service.readSession(payment, ms)),
      refund: (want) => run({ paymentId: want.paymentId }, () => service.refund(want)),
      readRefunds: (payment, want) => run({ paymentId: payment.id }, () => service.readRefunds(payment, want)),
      readTransaction: (want) => service.readTransaction(want),
      listTransactions: (want) => service.listTransactions(want),
    };
  }

  return {
    credentialFor: (storeId, environment) => tenants.credentialFor(storeId, environment),
    endpoint: (endpointId) => tenants.endpoint(endpointId),
    service: async (credentialId) => telling(await tenants.service(credentialId)),
  };
}
