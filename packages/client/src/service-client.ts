import { isLoopbackUrl } from "./addresses/address-fault.ts";
import { environmentOfKey } from "./call/api-key.ts";
import { parseBaseUrl } from "./call/base-url.ts";
import { withConfirmation } from "./call/confirmation.ts";
import { type Hooks, safeHooks } from "./call/hooks.ts";
import type { SendOperation } from "./call/operation.ts";
import { type CallEngine, performCall } from "./call/perform-call.ts";
import { prepareRequest, type RequestDefaults } from "./call/prepare-request.ts";
import { ServiceError } from "./errors/service-error.ts";
import { type Budget, createBudget } from "./rate-limits/budget.ts";
import type { RateLimit } from "./rate-limits/rate-limit.ts";
import { type Accounts, accounts } from "./resources/accounts.ts";
import { type Charges, charges } from "./resources/charges.ts";
import { type CheckoutSessions, checkoutSessions } from "./resources/checkout-sessions.ts";
import { type Customers, customers } from "./resources/customers.ts";
import {
  type PaymentRequests,
  type Payouts,
  paymentRequests,
  payouts,
  type Settlements,
  settlements,
} from "./resources/money-movements.ts";
import {
  type Merchants,
  merchants,
  type Organizations,
  organizations,
  type Providers,
  providers,
} from "./resources/organizations.ts";
import { type Refunds, refunds } from "./resources/refunds.ts";
import { type Transactions, transactions } from "./resources/transactions.ts";
import { type DeliveryLogs, deliveryLogs, type Webhooks, webhooks } from "./resources/webhooks.ts";
import { type Clock, type Random, systemClock, systemRandom } from "./system/clock.ts";
import { DEFAULT_DEADLINE_MS } from "./system/limits.ts";
import type { Transport } from "./transport/transport.ts";

export type ServiceClientOptions = {
  /** Secret key; it decides the environment. The client keeps the key in a closure and sends it only in requests. */
  readonly apiKey: string;
  /** HTTPS, or plain HTTP to this machine. */
  readonly baseUrl: string;
  /** The Member Account `acct_…` for every call that accepts a Member Account. */
  readonly account?: string | undefined;
  /** Pins the schema version of the API. */
  readonly version?: string | undefined;
  /** Precedes the paths of checkout sessions; default `/v1`. */
  readonly versionPrefix?: "/v1" | "" | undefined;
  /**
   * The calls that the API key may make; all clients of the key should share one budget. Default: a budget of this client
   * alone, and `off` for a service on this machine, which is a sandbox.
   */
  readonly budget?: Budget | "off" | undefined;
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly hooks?: Hooks | undefined;
  /** For a call, including all retries; default 15 s. */
  readonly deadlineMs?: number | undefined;
  /**
   * `auto`, the default: the client makes an Idempotency-Key for every write that takes one and has none, so that it can repeat the
   * write safely. `manual`: a write without a key is never repeated, and refused where the service requires a key.
   */
  readonly idempotencyKeys?: "auto" | "manual" | undefined;
};

/** The service's API: one method per row of the endpoint table. */
export type ServiceClient = {
  readonly environment: "test" | "live";
  /** The rate limit that a response reported last; null before the first report. */
  rateLimit(): RateLimit | null;
  readonly accounts: Accounts;
  readonly charges: Charges;
  readonly checkoutSessions: CheckoutSessions;
  readonly customers: Customers;
  readonly deliveryLogs: DeliveryLogs;
  readonly merchants: Merchants;
  readonly organizations: Organizations;
  readonly paymentRequests: PaymentRequests;
  readonly payouts: Payouts;
  readonly providers: Providers;
  readonly refunds: Refunds;
  readonly settlements: Settlements;
  readonly transactions: Transactions;
  readonly webhooks: Webhooks;
};

/** @throws ServiceError `key_invalid`, `url_invalid`, `insecure_url` */
export function createClientWithTransport(transport: Transport, options: ServiceClientOptions): ServiceClient {
  assertOptions(options);
  const environment = environmentOfKey(options.apiKey);
  const clock = options.clock ?? systemClock;
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const { engine, newestRateLimit } = createEngine(transport, options, environment, clock);
  const defaults: RequestDefaults = {
    baseUrl: parseBaseUrl(options.baseUrl),
    versionPrefix: options.versionPrefix ?? "/v1",
    account: options.account,
    version: options.version,
    newIdempotencyKey: options.idempotencyKeys === "manual" ? null : () => crypto.randomUUID(),
  };
  const send: SendOperation = async (operation, request, callOptions) => {
    const prepared = prepareRequest(operation, request, callOptions, defaults);
    const { signal, sendBy } = callOptions;
    return performCall(engine, prepared, { deadlineMs: callOptions.deadlineMs ?? deadlineMs, signal, sendBy });
  };
  const sendConfirmed = withConfirmation(send, clock, deadlineMs);
  return {
    environment,
    rateLimit: newestRateLimit,
    accounts: accounts(send),
    charges: charges(send),
    checkoutSessions: checkoutSessions(send),
    customers: customers(send),
    deliveryLogs: deliveryLogs(send),
    merchants: merchants(send),
    organizations: organizations(send),
    paymentRequests: paymentRequests(send),
    payouts: payouts(sendConfirmed),
    providers: providers(send),
    refunds: refunds(send, sendConfirmed),
    settlements: settlements(sendConfirmed),
    transactions: transactions(send),
    webhooks: webhooks(send),
  };
}

/** A caller in plain JavaScript may pass nothing. */
function assertOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new ServiceError(
      "request_invalid",
      'createServiceClient needs an object: { apiKey: "svc_sk_…", baseUrl: "https://…" }.',
    );
}

function createEngine(
  transport: Transport,
  { apiKey, baseUrl, budget, random, hooks }: ServiceClientOptions,
  environment: "test" | "live",
  clock: Clock,
): { engine: CallEngine; newestRateLimit: () => RateLimit | null } {
  const defaultBudget = isLoopbackUrl(baseUrl) ? "off" : createBudget({ environment, clock });
  const sharedBudget = budget ?? defaultBudget;
  let newestRateLimit: RateLimit | null = null;
  let calls = 0;
  const engine: CallEngine = {
    transport,
    clock,
    random: random ?? systemRandom,
    hooks: safeHooks(hooks ?? {}),
    budget: sharedBudget === "off" ? null : sharedBudget,
    recordRateLimit(rate, reported) {
      newestRateLimit = reported;
      if (sharedBudget !== "off") sharedBudget.recordRateLimit(rate, reported);
    },
    nextCallId() {
      calls += 1;
      return calls;
    },
    authorize: (headers) => ({ ...headers, "x-api-key": apiKey }),
  };
  return { engine, newestRateLimit: () => newestRateLimit };
}
