import type { Engine } from "@tillkit/core";
import { canList } from "@tillkit/runtime";
import { Router } from "express";
import { createLedgerCounts } from "../observability/ledger-counts.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createMetricsRoute } from "../observability/metrics-route.ts";
import { createEndedSessions } from "../operators/login/ended-sessions.ts";
import { createSessions } from "../operators/login/sessions.ts";
import { createOperatorsRouter } from "../operators/operators-router.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";

export type OperatorRouteParts = {
  readonly engine: Engine;
  readonly stores: { list(): Promise<readonly string[]> };
  readonly metrics: Metrics;
  readonly keys: readonly [string, ...string[]];
  readonly publicUrl: string;
  readonly basePath: string;
};

/** `/operators` and `/metrics`, each only when the options name it. */
export function createOperatorRoutes(options: CheckoutServerOptions, parts: OperatorRouteParts): Router {
  const { ledger, operators } = options;
  const { engine, stores, metrics, keys, publicUrl, basePath } = parts;
  const router = Router();
  if (!canList(ledger)) return router;
  const count = createLedgerCounts(ledger, engine.clock);
  if (options.metrics) router.get("/metrics", createMetricsRoute(engine, count, metrics, options.metrics.token));
  if (operators) {
    const base = `${basePath}/operators`;
    const { clock, random } = engine;
    const secure = publicUrl.startsWith("https:");
    const ended = createEndedSessions(ledger.records, clock);
    const sessions = createSessions({ keys, tokens: operators.tokens, ended, clock, random, path: base, secure });
    router.use("/operators", createOperatorsRouter({ engine, ledger, count, storeIds: stores.list, sessions, base }));
  }
  return router;
}
