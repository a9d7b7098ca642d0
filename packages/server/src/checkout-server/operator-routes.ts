import type { Engine } from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import { Router } from "express";
import { serverLimits } from "../limits.ts";
import { createLedgerCounts } from "../observability/ledger-counts.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createMetricsRoute } from "../observability/metrics-route.ts";
import { createEndedSessions } from "../operators/login/ended-sessions.ts";
import { createSessions } from "../operators/login/sessions.ts";
import { createOperatorsRouter } from "../operators/operators-router.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import { endpointIdsOf, type StoredCredentials } from "../stores/open-tenants.ts";

export type OperatorRouteParts = {
  readonly engine: Engine;
  readonly stores: { list(): Promise<readonly string[]> };
  readonly storedCredentials: StoredCredentials | null;
  readonly metrics: Metrics;
  readonly keys: readonly [string, ...string[]];
  readonly publicUrl: string;
  readonly basePath: string;
};

/** `/operators` and `/metrics`, each only when the options enable it. */
export function createOperatorRoutes(options: CheckoutServerOptions, parts: OperatorRouteParts): Router {
  const { ledger, operators } = options;
  const { engine, stores, storedCredentials, metrics, keys, publicUrl, basePath } = parts;
  const router = Router();
  if (!canList(ledger)) return router;
  if (options.metrics) {
    const countLedger = createLedgerCounts(ledger, engine.clock);
    router.get("/metrics", createMetricsRoute(engine, countLedger, metrics, options.metrics.token));
  }
  if (operators) {
    const base = `${basePath}/operators`;
    const { clock, random } = engine;
    const countLedger = createLedgerCounts(ledger, clock, { atMost: serverLimits.maxCountedRows });
    const secure = publicUrl.startsWith("https:");
    const endedSessions = createEndedSessions(ledger.records, clock);
    const { tokens } = operators;
    const sessions = createSessions({ keys, tokens, endedSessions, clock, random, path: base, secure });
    const endpointIds = () => endpointIdsOf(options.credentials, storedCredentials);
    router.use(
      "/operators",
      createOperatorsRouter({
        engine,
        ledger,
        countLedger,
        storeIds: stores.list,
        endpointIds,
        publicUrl,
        sessions,
        base,
      }),
    );
  }
  return router;
}
