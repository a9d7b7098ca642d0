import { createServiceClient, type Hooks, isLoopbackUrl } from "@tillkit/client";
import { type CreateClient, createSharedBudget, type Ledger, type Log, systemClock } from "@tillkit/core";
import type { ReadOptions } from "../options/options.ts";

/**
 * Clients of the service: every failed call is logged with the service's own request id, and the calls that the key may make
 * are counted over all processes of the shop; a sandbox on this machine counts none.
 */
export function createCreateClient({ serviceVersion }: ReadOptions, ledger: Ledger, log: Log): CreateClient {
  const hooks: Hooks = {
    response({ operation, status, requestId, tryNumber, code }) {
      if (code !== undefined)
        log.warn("service.call_failed", { operation, code, status: status ?? null, requestId, tries: tryNumber });
    },
  };
  return function createClient({ apiKey, baseUrl, account, id: credentialId, environment }) {
    const budget = isLoopbackUrl(baseUrl)
      ? undefined
      : createSharedBudget({ ledger, credentialId, environment, clock: systemClock });
    return createServiceClient({ apiKey, baseUrl, account, hooks, budget, version: serviceVersion });
  };
}
