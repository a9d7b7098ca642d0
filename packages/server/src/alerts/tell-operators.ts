import { codeOf, type Engine, type Language, type Ledger, safeReason } from "@tillkit/core";
import { hostLimits } from "../limits.ts";
import { keepMemory, newsIn, readMemory, withoutPast } from "./alert-memory.ts";
import { composeAlert } from "./alert-message.ts";
import type { Channel } from "./channels.ts";
import { ALERT_KINDS, type AlertKind, findHappenings, type Happenings } from "./happenings.ts";

export type TellOptions = {
  readonly engine: Pick<Engine, "clock" | "circuitBreakers" | "log">;
  readonly ledger: Ledger;
  readonly channels: readonly Channel[];
  readonly language: Language;
  readonly publicUrl: string;
  /** Where the operators' pages are, null when they are off. */
  readonly operatorsUrl: string | null;
  /** At most one message of each channel in this time. */
  readonly everyMs: number;
};

/** One look at what happened. What is new is told on every channel, each thing once, whoever of all processes sees it first. */
export async function tellOperators(options: TellOptions): Promise<void> {
  const { engine, ledger, channels } = options;
  const happenings = await findHappenings(ledger, engine.circuitBreakers.list(), engine.clock.now());
  await Promise.all(channels.map((channel) => tellOn(channel, happenings, options)));
}

async function tellOn(channel: Channel, happenings: Happenings, options: TellOptions): Promise<void> {
  const { records } = options.ledger;
  const { clock, log } = options.engine;
  const known = await readMemory(records, channel.name);
  const now = clock.now();
  if (now < known.memory.notBefore) return;
  const told = withoutPast(known.memory, happenings, now);
  const fresh = newsIn(told, happenings);
  const isNews = ALERT_KINDS.some((kind) => fresh[kind].length > 0);
  if (!isNews) {
    if (Object.keys(told).length < Object.keys(known.memory.told).length)
      await keepMemory(records, channel.name, known, { ...known.memory, told });
    return;
  }
  // Whoever writes this first is the one that sends.
  const claim = { ...known.memory, told, notBefore: now + hostLimits.alertClaimMs };
  const claimed = await keepMemory(records, channel.name, known, claim);
  if (!claimed) return;
  try {
    await channel.send(composeAlert(fresh, happenings, options), now);
  } catch (error) {
    const failures = claim.failures + 1;
    const waitMs = Math.min(hostLimits.alertRetryMs * 2 ** Math.min(failures - 1, 10), hostLimits.alertRetryLongestMs);
    log.error("alerts.send_failed", {
      channel: channel.name,
      code: codeOf(error),
      reason: safeReason(error),
      failures,
    });
    await keepMemory(records, channel.name, claimed, { ...claim, failures, notBefore: clock.now() + waitMs });
    return;
  }
  log.info("alerts.sent", { channel: channel.name });
  const all = { ...told, ...toldNow(fresh, now) };
  await keepMemory(records, channel.name, claimed, {
    told: all,
    failures: 0,
    notBefore: clock.now() + options.everyMs,
  });
}

function toldNow(fresh: Readonly<Record<AlertKind, readonly string[]>>, at: number) {
  return Object.fromEntries(ALERT_KINDS.flatMap((kind) => fresh[kind].map((key) => [key, { kind, at }])));
}
