import { createServiceClient, type Hooks, isLoopbackUrl } from "@tillkit/client";
import { type Clock, type CreateClient, createSharedBudget, type Log, type PaymentLedger } from "@tillkit/core";
import type { Metrics } from "./metrics/metrics.ts";
import { sharesBudget } from "./whole-ledger.ts";

export type ClientsOptions = {
  readonly ledger: PaymentLedger;
  readonly clock: Clock;
  readonly callClock?: Clock | undefined;
  readonly metrics: Metrics;
  readonly log: Log;
};

/**
 * Clients of the service whose every try is measured, and every failed one logged with the service's own request id. The
 * calls that a key may make are counted over all processes that share the ledger; a sandbox on this machine counts none.
 */
export function createClientOf({ ledger, clock, callClock, metrics, log }: ClientsOptions): CreateClient {
  const hooks: Hooks = {
    response({ operation, status, requestId, durationMs, tryNumber, code }) {
      metrics.serviceCalled({ operation, seconds: durationMs / 1_000, code });
      if (code === undefined) return;
      const line = {
        operation,
        code,
        status: status ?? null,
        requestId,
        tries: tryNumber,
        durationMs: Math.round(durationMs),
      };
      log.warn("service.call_failed", line);
    },
  };
  return function clientOf({ apiKey, baseUrl, account, id: credentialId, environment }) {
    const isShared = sharesBudget(ledger) && !isLoopbackUrl(baseUrl);
    const budget = isShared ? createSharedBudget({ ledger, credentialId, environment, clock }) : undefined;
    return createServiceClient({ apiKey, baseUrl, account, hooks, budget, clock: callClock });
  };
}
