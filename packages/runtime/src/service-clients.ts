import { createServiceClient, type Hooks, isLoopbackUrl } from "@tillkit/client";
import {
  type Clock,
  type CreateClient,
  type CredentialEntry,
  createSharedBudget,
  type Log,
  type PaymentLedger,
} from "@tillkit/core";
import { canShareBudget } from "./ledger/ledger-capabilities.ts";
import { createThrottledLog } from "./logs/throttled-log.ts";

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

/** What to do about a key that the service refuses; it is logged, because nothing else of the failure says it. */
const KEY_ADVICE =
  "The service refuses this API key: it was revoked, replaced or mistyped. Put a valid key in its place, where the configuration or its environment variable has the old key, and keep the credential's id.";

/**
 * Creates clients of the service that report every try, and log every failed try with the service's request id. A refused key is
 * logged as an error, at most once a minute. The calls of
 * an API key are counted over all processes that share the ledger. Calls to a sandbox on this machine are not counted.
 */
export function createServiceClients(options: ServiceClientsOptions): CreateClient {
  const { ledger, clock, callClock, version, onCall, log } = options;
  const hooksOf = (host: string, { id: credentialId, storeIds, environment }: CredentialEntry): Hooks => {
    const throttledLog = createThrottledLog(clock);
    return {
      response({ operation, method, path, status, requestId, durationMs, attemptNumber, code }) {
        onCall?.({
          credentialId,
          operation,
          seconds: durationMs / 1_000,
          code,
          method,
          path,
          host,
          status,
          attemptNumber,
        });
        if (code === undefined) return;
        log.warn("service.call_failed", {
          operation,
          code,
          status: status ?? null,
          requestId,
          attempts: attemptNumber,
          durationMs: Math.round(durationMs),
        });
        if (status !== 401) return;
        const credential = { credentialId, stores: storeIds.join(", "), environment };
        throttledLog(() => log.error("service.key_refused", { ...credential, requestId, advice: KEY_ADVICE }));
      },
    };
  };
  return function createClient(credential) {
    const { apiKey, baseUrl, account, id: credentialId, environment } = credential;
    const isShared = canShareBudget(ledger) && !isLoopbackUrl(baseUrl);
    const budget = isShared ? createSharedBudget({ ledger, credentialId, environment, clock }) : undefined;
    const hooks = hooksOf(new URL(baseUrl).hostname, credential);
    return createServiceClient({ apiKey, baseUrl, account, hooks, budget, clock: callClock, version });
  };
}
