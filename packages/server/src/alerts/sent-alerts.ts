import type { Records } from "@tillkit/core/ledger";
import { serverLimits } from "../limits.ts";
import { type ActiveAlerts, ALERT_KINDS, type AlertKind } from "./active-alerts.ts";

/** The alerts that one channel has sent. The ledger stores them, so that every process knows them, also after a restart. */
export type SentAlerts = {
  /** Fingerprint → its kind and when it was sent. */
  readonly sent: Readonly<Record<string, { readonly kind: AlertKind; readonly at: number }>>;
  /** No process sends before this time: the interval between messages, the delay after a failure, or a lease. */
  readonly notBefore: number;
  readonly failures: number;
};

export type StoredSentAlerts = { readonly alerts: SentAlerts; readonly version: number | "new" };

/** The rows belong to the server: no store has this id. */
const STORE = "";
const KIND = "alerts";

export async function readSentAlerts(records: Records, channel: string): Promise<StoredSentAlerts> {
  const row = await records.get(STORE, KIND, channel);
  if (!row) return { alerts: { sent: {}, notBefore: 0, failures: 0 }, version: "new" };
  return { alerts: row.value as SentAlerts, version: row.version };
}

/** Null when another process has changed the row since this process read it. */
export async function saveSentAlerts(
  records: Records,
  channel: string,
  { version }: StoredSentAlerts,
  alerts: SentAlerts,
): Promise<StoredSentAlerts | null> {
  const answer = await records.put(STORE, KIND, channel, alerts, version);
  return answer === "done" ? { alerts, version: version === "new" ? 1 : version + 1 } : null;
}

/**
 * Removes resolved alerts, so that they are sent again when they return. Each process has its own circuit breakers, so a sent
 * outage stays for some hours, even when this process sees no outage. An alert stays until its end was alerted.
 */
export function withoutResolved({ sent }: SentAlerts, active: ActiveAlerts, now: number): SentAlerts["sent"] {
  const isCurrent = ([key, { kind, at }]: [string, { kind: AlertKind; at: number }]) => {
    if (kind === "outage") return msBetween(at, now) < serverLimits.outageReminderMs;
    if (Object.values(active.answering.endOf ?? {}).includes(key)) return true;
    // A newer version that shares the ledger may alert of kinds that this version does not know.
    return !Object.hasOwn(active, kind) || !active[kind].isComplete || active[kind].keys.includes(key);
  };
  const current = Object.entries(sent)
    .filter(isCurrent)
    .sort(([, left], [, right]) => right.at - left.at);
  return Object.fromEntries(current.slice(0, serverLimits.maxSentAlerts));
}

/** The active alerts that were not sent yet, by kind, and the refusals of stores that were sent a day ago. */
export function findNewAlerts(
  sent: SentAlerts["sent"],
  active: ActiveAlerts,
  now: number,
): Readonly<Record<AlertKind, readonly string[]>> {
  const isNew = (kind: AlertKind, key: string) => {
    const begin = active[kind].endOf?.[key];
    if (begin !== undefined && !Object.hasOwn(sent, begin)) return false;
    const sentAt = sent[key]?.at;
    return sentAt === undefined || (kind === "refusing" && msBetween(sentAt, now) >= serverLimits.refusalReminderMs);
  };
  const unsent = ALERT_KINDS.map((kind) => [kind, active[kind].keys.filter((key) => isNew(kind, key))]);
  return Object.fromEntries(unsent);
}

// An alert of the future was sent while the clock was ahead: nobody knows how long ago, so it is sent again.
function msBetween(at: number, now: number): number {
  return Math.abs(now - at);
}
