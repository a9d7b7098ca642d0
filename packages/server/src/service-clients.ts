import { createServiceClient, type Hooks, type ServiceClient } from "@tillkit/client";
import type { Clock, CredentialConfig, Log, PaymentLedger } from "@tillkit/core";
import type { Metrics } from "./metrics/metrics.ts";

export type ClientsOptions = {
  readonly ledger: PaymentLedger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
};

/** Clients of the service whose every try is measured, and every failed one logged with the service's own request id. */
export function createClientOf({ metrics, log }: ClientsOptions): (credential: CredentialConfig) => ServiceClient {
  const hooks: Hooks = {
    response({ operation, status, requestId, durationMs, tries, code }) {
      metrics.serviceCalled({ operation, seconds: durationMs / 1_000, code });
      if (code === undefined) return;
      const line = { operation, code, status: status ?? null, requestId, tries, durationMs: Math.round(durationMs) };
      log.warn("service.call_failed", line);
    },
  };
  return ({ apiKey, baseUrl, account }) => createServiceClient({ apiKey, baseUrl, account, hooks });
}
