import { connectionFix, createServiceClient, type Hooks, isLoopbackUrl } from "@tillkit/client";
import type { Clock, Log, PaymentLedger } from "@tillkit/core";
import { type CreateClient, createSharedBudget } from "@tillkit/core/hosts";
import { canShareBudget } from "./ledger/ledger-capabilities.ts";

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
