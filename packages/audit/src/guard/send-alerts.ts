import { createHash } from "node:crypto";
import { type Clock, codeOf, type Language, type Log } from "@tillkit/core";
import type { Channel, ChannelMessage } from "@tillkit/server";
import { FINDING_KINDS } from "../findings/finding.ts";
import { auditLimits } from "../limits.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import type { FindingStore, WatchedFinding } from "./finding-store.ts";

export type AlertOptions = {
  readonly findings: FindingStore;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
  readonly language: Language;
  /** Each channel gets at most one message in this time. */
  readonly everyMs: number;
  /** The address of the guard's page, or null. */
  readonly pageUrl: string | null;
};

/** What a channel was told: the keys of open findings, and the time before which it gets no message. */
type Sent = { readonly keys: readonly string[]; readonly notBefore: number };

/**
 * Tells every channel of the findings that it was not told of. The lease is written before a message is sent, and the keys after it was
 * taken: a process that dies in between sends the same message, under the same id, once the lease is over. No alert is lost.
 */
export async function sendFindingAlerts(options: AlertOptions): Promise<void> {
  const { findings, channels, clock } = options;
  const due = await findings.unalerted(clock.now() - auditLimits.alertAfterMs);
  if (due.length === 0) return;
  const told = await Promise.all(channels.map((channel) => sendOn(channel, due, options)));
  if (told.every(Boolean))
    await findings.markAlerted(
      due.map(({ finding }) => finding.key),
      clock.now(),
    );
}

/** Whether the channel knows all of them now. */
async function sendOn(channel: Channel, due: readonly WatchedFinding[], options: AlertOptions): Promise<boolean> {
  const { findings, clock, log, everyMs } = options;
  const name = `alerts ${channel.name}`;
  const stored = await findings.state(name);
  const sent: Sent = stored === null ? { keys: [], notBefore: 0 } : JSON.parse(stored);
  const dueKeys = new Set(due.map(({ finding }) => finding.key));
  // What is not due any more was told to every channel, or has healed.
  const kept = sent.keys.filter((key) => dueKeys.has(key));
  const unsent = due.filter(({ finding }) => !kept.includes(finding.key));
  if (unsent.length === 0) return true;
  const now = clock.now();
  // A clock that was ahead may have written a time far away.
  const notBefore = Math.min(sent.notBefore, now + Math.max(everyMs, auditLimits.alertLeaseMs));
  if (now < notBefore) return false;
  const lease = JSON.stringify({ keys: kept, notBefore: now + auditLimits.alertLeaseMs });
  if (!(await findings.changeState(name, stored, lease))) return false;
  try {
    await channel.send(await compose(unsent, options), now);
  } catch (error) {
    log.error("guard.alert_failed", { channel: channel.name, code: codeOf(error) });
    await findings.changeState(
      name,
      lease,
      JSON.stringify({ keys: kept, notBefore: clock.now() + auditLimits.alertRetryMs }),
    );
    return false;
  }
  const keys = [...kept, ...unsent.map(({ finding }) => finding.key)];
  await findings.changeState(name, lease, JSON.stringify({ keys, notBefore: clock.now() + everyMs }));
  log.info("guard.alert_sent", { channel: channel.name, count: unsent.length });
  return true;
}

/** Counts and a link. E-mails and chats have many readers: no order and no amount appears in them. */
async function compose(
  unsent: readonly WatchedFinding[],
  { findings, language, pageUrl }: AlertOptions,
): Promise<ChannelMessage> {
  const texts = AUDIT_TEXTS[language];
  const added = countKinds(unsent);
  const lines = FINDING_KINDS.flatMap((kind) =>
    added[kind] === undefined ? [] : [`- ${texts.kinds[kind].name}: ${added[kind]}`],
  );
  const keys = unsent.map(({ finding }) => finding.key).sort();
  return {
    id: createHash("sha256").update(JSON.stringify(keys)).digest("hex").slice(0, 32),
    subject: `[Tillkit] ${texts.guard.subject(unsent.length)}`,
    text: [texts.guard.lead, "", ...lines, "", texts.guard.closing, ...(pageUrl === null ? [] : [pageUrl]), ""].join(
      "\n",
    ),
    added,
    active: countKinds(await findings.open(auditLimits.guardRows)),
    operatorsUrl: pageUrl,
  };
}

export function countKinds(rows: readonly WatchedFinding[]): Readonly<Partial<Record<string, number>>> {
  const counts: Partial<Record<string, number>> = {};
  for (const { finding } of rows) counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
  return counts;
}
