import type { Engine } from "@tillkit/core";
import { canList, canPrune, type ScheduledTask } from "@tillkit/runtime";
import { Router } from "express";
import { type Channel, emailChannel, webhookChannel } from "./alerts/channels.ts";
import { tellOperators } from "./alerts/tell-operators.ts";
import type { CheckoutServerOptions } from "./checkout-options.ts";
import { hostLimits } from "./limits.ts";
import { createLedgerCounts } from "./metrics/ledger-counts.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { createMetricsRoute } from "./metrics/metrics-route.ts";
import { createEndedSessions } from "./operators/ended-sessions.ts";
import { createOperatorsRouter } from "./operators/operators-router.ts";
import { createSessions } from "./operators/sessions.ts";
import { pruneDaily } from "./prune-daily.ts";

export type OperatorParts = {
  readonly engine: Engine;
  readonly stores: { list(): Promise<readonly string[]> };
  readonly metrics: Metrics;
  readonly keys: readonly [string, ...string[]];
  readonly publicUrl: string;
  readonly basePath: string;
};

/** The routes that were asked for: `/operators`, `/metrics`. */
export function createOperatorRoutes(options: CheckoutServerOptions, parts: OperatorParts): Router {
  const { ledger, operators, metrics: wanted } = options;
  const { engine, stores, metrics, keys, publicUrl, basePath } = parts;
  const router = Router();
  if (!canList(ledger)) return router;
  const count = createLedgerCounts(ledger, engine.clock);
  if (wanted) router.get("/metrics", createMetricsRoute(engine, count, metrics, wanted.token));
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

/** What is done beside the work on payments: alerts, and pruning. */
export function scheduledTasksOf(
  options: CheckoutServerOptions,
  engine: Engine,
  publicUrl: string,
): readonly ScheduledTask[] {
  const { ledger, alerts, operators, retention = { days: hostLimits.retentionDays } } = options;
  const tasks: ScheduledTask[] = [...(options.scheduledTasks ?? [])];
  if (retention !== "off" && canPrune(ledger)) {
    tasks.push(pruneDaily(ledger, retention.days, engine.clock, engine.log));
  }
  if (alerts && canList(ledger)) {
    const { language, everyMs = hostLimits.alertEveryMs } = alerts;
    const operatorsUrl = operators ? `${publicUrl}/operators` : null;
    const tell = { engine, ledger, channels: channelsOf(alerts), language, publicUrl, operatorsUrl, everyMs };
    const lookMs = hostLimits.alertLookMs;
    tasks.push({ name: "alerts", firstDelayMs: lookMs, intervalMs: lookMs, run: () => tellOperators(tell) });
  }
  return tasks;
}

function channelsOf({ email, webhook }: NonNullable<CheckoutServerOptions["alerts"]>): readonly Channel[] {
  return [...(email ? [emailChannel(email)] : []), ...(webhook ? [webhookChannel(webhook)] : [])];
}
