import type { RequestListener } from "node:http";
import {
  type CheckoutStart,
  createEngine,
  type Engine,
  type EngineOptions,
  type Order,
  startCheckout,
  systemClock,
  systemRandom,
} from "@tillkit/core";
import { purposeKey } from "@tillkit/core/hosts";
import {
  correlatePayments,
  createCorrelation,
  createEngineRunner,
  createJsonLog,
  createPaymentTracing,
  createServiceClients,
  createSignedTokens,
  createTracer,
  type ServiceCall,
  servesRequests,
} from "@tillkit/runtime";
import { Router } from "express";
import { createFetchApp } from "../http/fetch-app.ts";
import { createFetchHandler, type FetchHandler } from "../http/fetch-handler.ts";
import { createFrontListener } from "../http/front-listener.ts";
import { createWorkerRoutes } from "../http/worker-routes.ts";
import { createHealthRoutes } from "../observability/health-routes.ts";
import { createMetrics } from "../observability/metrics.ts";
import { createRefusedKeys } from "../observability/refused-keys.ts";
import { createRequestIds } from "../observability/request-ids.ts";
import { recordServiceCallSpan } from "../observability/service-call-span.ts";
import type { StoreOwner } from "../operators/login/sessions.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import { validateOptions } from "../options/validate-options.ts";
import { type LinkTokens, signOrderToken } from "../shopper/link-tokens.ts";
import { createPaymentNews } from "../shopper/payment-news.ts";
import { createShopperRouter } from "../shopper/shopper-router.ts";
import { endpointIdsOf, openTenants, type StoredCredentials } from "../stores/open-tenants.ts";
import { type CredentialRecovery, recoverStores } from "../stores/recover-stores.ts";
import { openDirectory } from "../stores/store-directory.ts";
import { createOperatorRoutes, type OperatorRouteParts } from "./operator-routes.ts";
import { scheduledTasksOf } from "./scheduled-tasks.ts";
import { createServerWarnings } from "./server-warnings.ts";

export type CheckoutServer = {
  readonly engine: Engine;
  /** Shoppers' and operators' pages, `/metrics`, `/healthz`, `/readyz`, and webhooks for hosts that cannot use `listener`. */
  readonly router: Router;
  /** Handles webhooks on bare node:http and passes other requests to `next`, an Express app that uses `router`. */
  listener(next: RequestListener): RequestListener;
  /**
   * The routes of `router` for hosts with fetch-standard requests: Hono, Next.js, SvelteKit, Nitro. Mount it before anything reads the
   * body. The path of a request may begin with the path of `publicUrl`, or leave that out.
   */
  readonly fetch: FetchHandler;
  /** Changes the stored credentials; null when `credentials` is a list. */
  readonly storedCredentials: StoredCredentials | null;
  /**
   * The permanent pay link of one attempt of an order, for a platform that stores such a link. The link leads to the attempt's
   * open session, to a new session, or to the shop when the order is paid. Creating the link makes no request.
   */
  payLink(order: Pick<Order, "ref" | "attempt">): string;
  /**
   * Creates an address that logs an operator in as the first of `operators.tokens`: once, within an hour. Print it on the host's own
   * terminal only. Null without operators' pages.
   */
  readonly operatorLoginLink: (() => string) | null;
  /**
   * Creates an address that logs the owner of a shop in, once and within a minute, to the pages with this shop only. Send it only to
   * the person whom the shop named. `requestId` names the shop's request, which is answered once: null for a repeated one. The member is
   * null without operators' pages.
   */
  readonly ownerLoginLink: ((owner: StoreOwner, requestId: string) => Promise<string | null>) | null;
  /** @throws CheckoutError, as `startCheckout` of @tillkit/core */
  startCheckout(order: Order): Promise<CheckoutStart>;
  /**
   * Recovers payments and refunds after the ledger was restored from a backup: lists the transactions of each service key since
   * `from` and confirms the payments that the ledger does not contain. Safe to repeat and to run beside a running server.
   * @param from milliseconds since 1970, shortly before the backup was made
   */
  recover(from: number): AsyncGenerator<CredentialRecovery>;
  /**
   * Tries the API keys, and runs due jobs and scheduled tasks until `close`. A process whose role is `receiver` only tries the keys.
   */
  startTimer(): void;
  /** Resolves when the work under way has ended, or after ten seconds. The host closes its ledger itself. */
  close(): Promise<void>;
};

/** @throws CheckoutError `configuration_invalid`; its message has one sentence for each mistake */
export function createCheckoutServer(options: CheckoutServerOptions): CheckoutServer {
  const { clock = systemClock, random = systemRandom, ledger, role = "both" } = options;
  const { publicUrl, keys } = validateOptions(options);
  const basePath = publicUrl.slice(new URL(publicUrl).origin.length);
  const correlation = createCorrelation();
  const log = correlation.log(options.log ?? createJsonLog());
  const tracer = options.openTelemetry ? createTracer(options.openTelemetry) : null;
  const metrics = createMetrics();
  const tokens: LinkTokens = createSignedTokens(keys, clock);
  const refusedKeys = createRefusedKeys();
  const onCall = (call: ServiceCall) => {
    refusedKeys.recordServiceCall(call);
    metrics.recordServiceCall(call, tracer ? recordServiceCallSpan(tracer, call) : undefined);
  };
  const createClient = createServiceClients({ ledger, clock, callClock: options.callClock, onCall, log });
  const stores = openDirectory(options.stores, metrics, tracer);
  const news = createPaymentNews(ledger, clock);
  const { tenants, storedCredentials } = openTenants({ credentials: options.credentials, ledger, clock, createClient });
  const engine = createEngine({
    ledger: news.ledger,
    tenants: correlatePayments(tenants, correlation),
    store: stores.get,
    clock,
    random,
    log,
    publicUrl,
    referenceKeys: [purposeKey(keys[0], "reference"), ...keys.slice(1).map((key) => purposeKey(key, "reference"))],
    ...addressesOf(publicUrl, tokens, options.operators !== undefined),
    ...(tracer ? { tracing: createPaymentTracing(tracer) } : {}),
    ...chosenOptions(options),
  });
  const findWarnings = () => warnings.find();
  const { timer, clockCheck, handleWebhook, refusedWebhooks, close } = createEngineRunner({
    engine,
    correlation,
    role,
    scheduledTasks: scheduledTasksOf(options, engine, { publicUrl, storeIds: stores.list, findWarnings }),
    // A clock that was passed in does not show the real time, so it is not compared with the database's clock.
    ...(options.clock ? { clockCheck: { isInSync: async () => true } } : {}),
    bodyParserAdvice:
      "give the Node server checkout.listener(app), or put app.use(checkout.router) or checkout.fetch before every body parser.",
  });
  const warnings = createServerWarnings(options, { engine, keys, refusedKeys, refusedWebhooks, storedCredentials });
  const onAnswered = metrics.recordRequest;
  const withRequestId = createRequestIds({ basePath, correlation, random, log, tracer, onAnswered });
  const frontListener = createFrontListener(basePath, handleWebhook);
  const listenerOfRole = servesRequests(role) ? frontListener : createWorkerRoutes(basePath);
  const listener = (next: RequestListener) => withRequestId(listenerOfRole(next));
  const operatorParts = { engine, stores, storedCredentials, metrics, keys, publicUrl, basePath, findWarnings };
  const operators = createOperatorRoutes(options, operatorParts);
  const router = Router()
    .use((request, response, next) => listener(() => next())(request, response))
    .use(createHealthRoutes({ ledger, timer, clock, clockCheck, findWarnings }))
    .use(operators.router)
    .use(createShopperRouter({ engine, tokens, news, listStores: options.selfService ? async () => [] : stores.list }));

  return {
    engine,
    router,
    listener,
    fetch: createFetchHandler(createFetchApp(basePath, router, log)),
    storedCredentials,
    payLink: ({ ref, attempt }) => `${publicUrl}/pay/${signOrderToken(tokens, { ref, attempt })}`,
    operatorLoginLink: operators.loginLink,
    ownerLoginLink: operators.ownerLoginLink,
    startCheckout: (order) => startCheckout(engine, order),
    recover: (from) => recoverAll(options, { ...operatorParts, from }),
    startTimer() {
      timer.start();
      void warnings.tryKeys();
    },
    close,
  };
}

async function* recoverAll(
  { credentials }: CheckoutServerOptions,
  { engine, stores, storedCredentials, publicUrl, from }: OperatorRouteParts & { readonly from: number },
): AsyncGenerator<CredentialRecovery> {
  const endpointIds = await endpointIdsOf(credentials, storedCredentials);
  yield* recoverStores(engine, { storeIds: await stores.list(), from, endpointIds, publicUrl });
}

/** Omits unset options: the engine has a default for each. */
function chosenOptions({ amountUnit, hostJobs, autoRefund }: CheckoutServerOptions) {
  return {
    ...(amountUnit ? { amountUnit } : {}),
    ...(hostJobs ? { hostJobs } : {}),
    ...(autoRefund ? { autoRefund } : {}),
  };
}

/** The absolute addresses of a payment: where the service's page sends the shopper, and where an operator decides about it. */
function addressesOf(
  publicUrl: string,
  tokens: LinkTokens,
  hasOperators: boolean,
): Pick<EngineOptions, "returnUrls" | "decisionUrl"> {
  return {
    returnUrls: ({ id, language }) => ({
      success: `${publicUrl}/return/${tokens.sign("return", id)}?lang=${language}`,
      cancel: `${publicUrl}/cancel/${tokens.sign("cancel", id)}?lang=${language}`,
    }),
    decisionUrl: ({ id }) => (hasOperators ? `${publicUrl}/operators/payments/${encodeURIComponent(id)}` : null),
  };
}
