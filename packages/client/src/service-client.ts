import { environmentOfKey } from "./call/api-key.ts";
import { isLoopbackUrl, readBaseUrl } from "./call/base-url.ts";
import { withConfirmation } from "./call/confirmation.ts";
import { type Hooks, safeHooks } from "./call/hooks.ts";
import type { SendOperation } from "./call/operation.ts";
import { type CallEngine, performCall } from "./call/perform-call.ts";
import { prepareRequest, type RequestDefaults } from "./call/prepare-request.ts";
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
  /** Secret key; it decides the environment. It never leaves the client's closure but in requests. */
  readonly apiKey: string;
  /** HTTPS, or plain HTTP on this machine. */
  readonly baseUrl: string;
  /** Member Account `acct_…` for every call that takes one. */
  readonly account?: string | undefined;
  /** Pins the schema version. */
  readonly version?: string | undefined;
  /** Before checkout sessions' paths; default `/v1`. */
  readonly versionPrefix?: "/v1" | "" | undefined;
  /**
   * Calls that the credential may make; share one among its clients. Default: one of its own, and `off` for a service on
   * this machine, which is a sandbox.
   */
  readonly budget?: Budget | "off" | undefined;
  readonly transport?: Transport | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly hooks?: Hooks | undefined;
  /** For one call with all its tries; default 15 s. */
  readonly deadlineMs?: number | undefined;
};

/** The service's API: one method a row of the endpoint table. */
export type ServiceClient = {
  readonly environment: "test" | "live";
  /** What the newest answer that spoke of a limit said; null before. */
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
export function createClientOn(transport: Transport, options: ServiceClientOptions): ServiceClient {
  const environment = environmentOfKey(options.apiKey);
  const clock = options.clock ?? systemClock;
  const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const { engine, newestRateLimit } = createEngine(transport, options, environment, clock);
  const defaults: RequestDefaults = {
    baseUrl: readBaseUrl(options.baseUrl),
    versionPrefix: options.versionPrefix ?? "/v1",
    account: options.account,
    version: options.version,
  };
  const send: SendOperation = async (operation, parts, call) => {
    const request = prepareRequest(operation, parts, call, defaults);
    return performCall(engine, request, call.deadlineMs ?? deadlineMs, call.signal);
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

function createEngine(
  transport: Transport,
  { apiKey, baseUrl, budget, random, hooks }: ServiceClientOptions,
  environment: "test" | "live",
  clock: Clock,
): { engine: CallEngine; newestRateLimit: () => RateLimit | null } {
  const usual = isLoopbackUrl(baseUrl) ? "off" : createBudget({ environment, clock });
  const chosen = budget ?? usual;
  let newest: RateLimit | null = null;
  let calls = 0;
  const engine: CallEngine = {
    transport,
    clock,
    random: random ?? systemRandom,
    hooks: safeHooks(hooks ?? {}),
    budget: chosen === "off" ? null : chosen,
    noteRateLimit(rate, taught) {
      newest = taught;
      if (chosen !== "off") chosen.recordRateLimit(rate, taught);
    },
    nextCallId() {
      calls += 1;
      return calls;
    },
    authorize: (headers) => ({ ...headers, "x-api-key": apiKey }),
  };
  return { engine, newestRateLimit: () => newest };
}
