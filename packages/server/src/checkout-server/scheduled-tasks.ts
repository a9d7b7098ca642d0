import type { Engine } from "@tillkit/core";
import { canList, canPrune, type ScheduledTask } from "@tillkit/runtime";
import { type Channel, createEmailChannel, createWebhookChannel } from "../alerts/channels.ts";
import { sendAlerts } from "../alerts/send-alerts.ts";
import type { FindWarnings } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";
import type { CheckoutServerOptions } from "../options/checkout-options.ts";
import { createPruneTask } from "../privacy/prune-task.ts";
import { createReconcileTask } from "../stores/reconcile-task.ts";

type TaskParts = {
  readonly publicUrl: string;
  readonly storeIds: () => Promise<readonly string[]>;
  readonly findWarnings: FindWarnings;
};

/** The host's own tasks, the daily reconciliation, the alerts and the pruning. */
export function scheduledTasksOf(
  options: CheckoutServerOptions,
  engine: Engine,
  { publicUrl, storeIds, findWarnings }: TaskParts,
): readonly ScheduledTask[] {
  const { ledger, alerts, operators, retention = { days: serverLimits.defaultRetentionDays } } = options;
  const tasks: ScheduledTask[] = [...(options.scheduledTasks ?? [])];
  if (options.reconcile !== "off") tasks.push(createReconcileTask(engine, storeIds));
  if (retention !== "off" && canPrune(ledger)) {
    tasks.push(createPruneTask(ledger, retention.days, engine.clock, engine.log));
  }
  if (alerts && canList(ledger)) {
    const { language, everyMs = serverLimits.alertIntervalMs } = alerts;
    const operatorsUrl = operators ? `${publicUrl}/operators` : null;
    const channels = channelsOf(alerts);
    const alertOptions = { engine, ledger, channels, language, publicUrl, operatorsUrl, everyMs, findWarnings };
    const intervalMs = serverLimits.alertCheckIntervalMs;
    tasks.push({ name: "alerts", firstDelayMs: intervalMs, intervalMs, run: () => sendAlerts(alertOptions) });
  }
  return tasks;
}

function channelsOf({ email, webhook }: NonNullable<CheckoutServerOptions["alerts"]>): readonly Channel[] {
  const channels: Channel[] = [];
  if (email) channels.push(createEmailChannel(email));
  if (webhook) channels.push(createWebhookChannel(webhook));
  return channels;
}
