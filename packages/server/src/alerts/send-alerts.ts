import { codeOf, type Engine, type Language, type Ledger, safeReason } from "@tillkit/core";
import { exponentialBackoff } from "@tillkit/core/ledger";
import type { FindWarnings } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";
import { type ActiveAlerts, ALERT_KINDS, type AlertKind, findActiveAlerts } from "./active-alerts.ts";
import { composeAlert } from "./alert-message.ts";
import type { Channel } from "./channels.ts";
import { findNewAlerts, readSentAlerts, saveSentAlerts, withoutResolved } from "./sent-alerts.ts";

export type AlertOptions = {
  readonly engine: Pick<Engine, "clock" | "circuitBreakers" | "log">;
  readonly ledger: Ledger;
  readonly channels: readonly Channel[];
  readonly language: Language;
  readonly publicUrl: string;
  /** The address of the operators' pages; null when they are off. */
  readonly operatorsUrl: string | null;
  /** What the operator must change soon. */
  readonly findWarnings?: FindWarnings;
  /** Each channel gets at most one message in this time. */
  readonly everyMs: number;
};

/** Finds the active alerts and sends the new alerts on every channel. Each alert is sent once, even when several processes run. */
export async function sendAlerts(options: AlertOptions): Promise<void> {
  const { engine, ledger, channels } = options;
  const warnings = (await options.findWarnings?.()) ?? [];
  const active = await findActiveAlerts(ledger, engine.circuitBreakers.list(), engine.clock.now(), warnings);
  await Promise.all(channels.map((channel) => sendOn(channel, active, options)));
}

async function sendOn(channel: Channel, active: ActiveAlerts, options: AlertOptions): Promise<void> {
  const { records } = options.ledger;
  const { clock, log } = options.engine;
  const stored = await readSentAlerts(records, channel.name);
  const now = clock.now();
  // No delay and no lease is longer: a later time was stored by a clock that was ahead.
  const latest = now + Math.max(options.everyMs, serverLimits.alertLeaseMs, serverLimits.alertRetryMaxMs);
  if (stored.alerts.notBefore > latest) {
    await saveSentAlerts(records, channel.name, stored, { ...stored.alerts, notBefore: latest });
    return;
  }
  if (now < stored.alerts.notBefore) return;
  const sent = withoutResolved(stored.alerts, active, now);
  const unsent = findNewAlerts(sent, active, now);
  if (ALERT_KINDS.every((kind) => unsent[kind].length === 0)) {
    if (Object.keys(sent).length < Object.keys(stored.alerts.sent).length)
      await saveSentAlerts(records, channel.name, stored, { ...stored.alerts, sent });
    return;
  }
  // Only the process whose lease is written first sends the message.
  const lease = { ...stored.alerts, sent, notBefore: now + serverLimits.alertLeaseMs };
  const leased = await saveSentAlerts(records, channel.name, stored, lease);
  if (!leased) return;
  try {
    await channel.send(composeAlert(unsent, active, options), now);
  } catch (error) {
    const failures = lease.failures + 1;
    const reason = safeReason(error);
    log.error("alerts.send_failed", { channel: channel.name, code: codeOf(error), reason, failures });
    const notBefore = clock.now() + retryDelayMs(failures);
    await saveSentAlerts(records, channel.name, leased, { ...lease, failures, notBefore });
    return;
  }
  log.info("alerts.sent", { channel: channel.name });
  await saveSentAlerts(records, channel.name, leased, {
    sent: { ...sent, ...sentEntries(unsent, now) },
    failures: 0,
    notBefore: clock.now() + options.everyMs,
  });
}

function retryDelayMs(failures: number): number {
  return exponentialBackoff(serverLimits.alertRetryMs, serverLimits.alertRetryMaxMs, failures);
}

function sentEntries(unsent: Readonly<Record<AlertKind, readonly string[]>>, at: number) {
  return Object.fromEntries(ALERT_KINDS.flatMap((kind) => unsent[kind].map((key) => [key, { kind, at }])));
}
