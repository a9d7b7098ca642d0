import type { Engine, Environment } from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import { Router } from "express";
import type { FindWarnings } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";
import { createLedgerCounts } from "../observability/ledger-counts.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createMetricsRoute } from "../observability/metrics-route.ts";
import { createEndedSessions } from "../operators/login/ended-sessions.ts";
import { createLoginLinks } from "../operators/login/login-links.ts";
import { createSessions } from "../operators/login/sessions.ts";
import { createOperatorsRouter } from "../operators/operators-router.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import { endpointIdsOf, type StoredCredentials } from "../stores/open-tenants.ts";
import type { CheckoutServer } from "./checkout-server.ts";

export type OperatorRouteParts = {
  readonly engine: Engine;
  readonly stores: { list(): Promise<readonly string[]> };
  readonly storedCredentials: StoredCredentials | null;
  readonly metrics: Metrics;
  readonly keys: readonly [string, ...string[]];
  readonly publicUrl: string;
  readonly basePath: string;
  readonly findWarnings: FindWarnings;
};

export type OperatorRoutes = {
  readonly router: Router;
  /** Creates a link that logs in once; null without operators' pages. */
  readonly loginLink: (() => string) | null;
  readonly ownerLoginLink: CheckoutServer["ownerLoginLink"];
};

/** `/operators` and `/metrics`, each only when the options enable it. */
export function createOperatorRoutes(options: CheckoutServerOptions, parts: OperatorRouteParts): OperatorRoutes {
  const { ledger, operators } = options;
  const { engine, stores, storedCredentials, metrics, keys, publicUrl, basePath, findWarnings } = parts;
  const router = Router();
  const withoutPages = { router, loginLink: null, ownerLoginLink: null };
  if (!canList(ledger)) return withoutPages;
  if (options.metrics) {
    const countLedger = createLedgerCounts(ledger, engine.clock);
    router.get("/metrics", createMetricsRoute({ engine, countLedger, findWarnings }, metrics, options.metrics.token));
  }
  if (!operators) return withoutPages;
  const base = `${basePath}/operators`;
  const { clock, random } = engine;
  const countsOf = (environment: Environment) =>
    createLedgerCounts(ledger, clock, { atMost: serverLimits.maxCountedRows, environment });
  const secure = publicUrl.startsWith("https:");
  const endedSessions = createEndedSessions(ledger.records, clock);
  const loginLinks = createLoginLinks({ keys, endedSessions, clock, random });
  const { tokens } = operators;
  const sessions = createSessions({ keys, tokens, endedSessions, clock, random, path: base, secure });
  const endpointIds = () => endpointIdsOf(options.credentials, storedCredentials);
  router.use(
    "/operators",
    createOperatorsRouter({
      engine,
      ledger,
      countLedger: { live: countsOf("live"), test: countsOf("test") },
      storeIds: stores.list,
      endpointIds,
      findWarnings,
      publicUrl,
      sessions,
      loginLinks,
      base,
      selfService: options.selfService ?? null,
    }),
  );
  const urlOf = (code: string) => `${publicUrl}/operators/login/once/${code}`;
  return {
    router,
    loginLink: () => urlOf(loginLinks.create()),
    async ownerLoginLink(owner, requestId) {
      const code = await loginLinks.createForOwner(owner, requestId);
      return code === null ? null : urlOf(code);
    },
  };
}
