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
import type { StoredCredentials } from "../stores/open-tenants.ts";

export type OperatorRouteParts = {
  readonly engine: Engine;
  readonly stores: { list(): Promise<readonly string[]> };
  readonly storedCredentials: StoredCredentials | null;
  readonly metrics: Metrics;
  readonly keys: readonly [string, ...string[]];
  readonly publicUrl: string;
  readonly basePath: string;
};

/** `/operators` and `/metrics`, each only when the options name it. */
export function createOperatorRoutes(options: CheckoutServerOptions, parts: OperatorRouteParts): Router {
  const { ledger, operators } = options;
  const { engine, stores, storedCredentials, metrics, keys, publicUrl, basePath } = parts;
  const router = Router();
  if (!canList(ledger)) return router;
  if (options.metrics) {
    const count = createLedgerCounts(ledger, engine.clock);
    router.get("/metrics", createMetricsRoute(engine, count, metrics, options.metrics.token));
  }
  if (operators) {
    const base = `${basePath}/operators`;
    const { clock, random } = engine;
    const count = createLedgerCounts(ledger, clock, { atMost: serverLimits.maxCountedRows });
    const secure = publicUrl.startsWith("https:");
    const ended = createEndedSessions(ledger.records, clock);
    const sessions = createSessions({ keys, tokens: operators.tokens, ended, clock, random, path: base, secure });
    const endpointIds = async () => {
      const all = options.credentials === "stored" ? ((await storedCredentials?.list()) ?? []) : options.credentials;
      return [...new Set(all.map(({ endpointId }) => endpointId))];
    };
    router.use(
      "/operators",
      createOperatorsRouter({ engine, ledger, count, storeIds: stores.list, endpointIds, publicUrl, sessions, base }),
    );
  }
  return router;
}
