import { environmentOfKey } from "./call/api-key.ts";
import { readBaseUrl } from "./call/base-url.ts";
import type { SendOperation } from "./call/operation.ts";
import { type CallEngine, performCall } from "./call/perform-call.ts";
import { prepareRequest, type RequestDefaults } from "./call/prepare-request.ts";
import { type Clock, type Random, systemClock, systemRandom } from "./clock.ts";
import { CALL_DEADLINE_MS } from "./limits.ts";
import { type CheckoutSessions, checkoutSessions } from "./resources/checkout-sessions.ts";
import { type Transactions, transactions } from "./resources/transactions.ts";
import { type Webhooks, webhooks } from "./resources/webhooks.ts";
import { createNodeTransport } from "./transport/node-transport.ts";
import type { Transport } from "./transport/transport.ts";

export type ServiceClientOptions = {
  /** Secret key; it decides the environment. It never leaves the client's closure but in requests. */
  readonly apiKey: string;
  /** HTTPS, or plain HTTP on this machine. */
  readonly baseUrl: string;
  /** Member Account `acct_…` for every call that takes one. */
  readonly account?: string | undefined;
  /** Pins the schema version. */
  readonly version?: string | undefined;
  /** Before checkout sessions' paths; default `/v1`. */
  readonly versionPrefix?: "/v1" | "";
  /** Default: keep-alive connections on node:http(s), one pool a client. */
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** For one call with all its tries; default 15 s. */
  readonly deadlineMs?: number | undefined;
};

export type ServiceClient = {
  readonly environment: "test" | "live";
  readonly checkoutSessions: CheckoutSessions;
  readonly transactions: Transactions;
  readonly webhooks: Webhooks;
};

/** @throws ServiceError `key_invalid`, `url_invalid`, `insecure_url` */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { apiKey, account, version } = options;
  const environment = environmentOfKey(apiKey);
  const defaults: RequestDefaults = {
    baseUrl: readBaseUrl(options.baseUrl),
    versionPrefix: options.versionPrefix ?? "/v1",
    account,
    version,
  };
  const engine: CallEngine = {
    transport: options.transport ?? createNodeTransport(),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    authorize: (headers) => ({ ...headers, "x-api-key": apiKey }),
  };
  const send: SendOperation = async (operation, parts, call) => {
    const request = prepareRequest(operation, parts, call, defaults);
    return performCall(engine, request, call.deadlineMs ?? options.deadlineMs ?? CALL_DEADLINE_MS, call.signal);
  };
  return {
    environment,
    checkoutSessions: checkoutSessions(send),
    transactions: transactions(send),
    webhooks: webhooks(send),
  };
}
