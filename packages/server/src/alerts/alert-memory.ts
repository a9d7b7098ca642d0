import type { Records } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { ALERT_KINDS, type AlertKind, type Happenings } from "./happenings.ts";

/** What one channel has told already. Kept in the ledger: all processes and the next start know it. */
export type AlertMemory = {
  /** Fingerprint → its kind and when it was told. */
  readonly told: Readonly<Record<string, { readonly kind: AlertKind; readonly at: number }>>;
  /** Nobody sends before: the digest's pace, the wait after a failure, or somebody is sending just now. */
  readonly notBefore: number;
  readonly failures: number;
};

export type KeptMemory = { readonly memory: AlertMemory; readonly version: number | "new" };

/** Rows of the server itself: no store has this id. */
const STORE = "";
const KIND = "alerts";

export async function readMemory(records: Records, channel: string): Promise<KeptMemory> {
  const row = await records.get(STORE, KIND, channel);
  if (!row) return { memory: { told: {}, notBefore: 0, failures: 0 }, version: "new" };
  return { memory: row.value as AlertMemory, version: row.version };
}

/** Null: another process was faster. */
export async function keepMemory(
  records: Records,
  channel: string,
  { version }: KeptMemory,
  memory: AlertMemory,
): Promise<KeptMemory | null> {
  const answer = await records.put(STORE, KIND, channel, memory, version);
  return answer === "done" ? { memory, version: version === "new" ? 1 : version + 1 } : null;
}

/**
 * Without what is over: when it comes back it is news again. A shop that is down is seen by some processes and not by
 * others, so that is remembered for some hours whatever this one sees.
 */
export function withoutPast({ told }: AlertMemory, happenings: Happenings, now: number): AlertMemory["told"] {
  const stays = ([key, { kind, at }]: [string, { kind: AlertKind; at: number }]) => {
    if (kind === "down") return now - at < hostLimits.downAgainMs;
    return !happenings[kind].whole || happenings[kind].keys.includes(key);
  };
  const kept = Object.entries(told)
    .filter(stays)
    .sort(([, left], [, right]) => right.at - left.at);
  return Object.fromEntries(kept.slice(0, hostLimits.alertsRemembered));
}

/** What happens now and was not told yet, by kind. */
export function newsIn(
  told: AlertMemory["told"],
  happenings: Happenings,
): Readonly<Record<AlertKind, readonly string[]>> {
  const fresh = ALERT_KINDS.map((kind) => [kind, happenings[kind].keys.filter((key) => !Object.hasOwn(told, key))]);
  return Object.fromEntries(fresh);
}
