import { type Clock, codeOf, type Language, type Log } from "@tillkit/core";
import type { Channel } from "@tillkit/server";
import { auditLimits } from "../limits.ts";
import type { Readers } from "../open-readers.ts";
import { runAudit } from "../run-audit.ts";
import { factStoreOf, openFactDatabase } from "../store/fact-store.ts";
import { type FindingStore, findingStoreOf } from "./finding-store.ts";
import { sendFindingAlerts } from "./send-alerts.ts";

export type GuardOptions = {
  /** `sqlite:/path/to/file.db` or `postgres://…` */
  readonly store: string;
  readonly readers: Pick<Readers, "movements" | "shops">;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
  readonly language: Language;
  readonly days: number;
  readonly everyMs: number;
  readonly alertEveryMs: number;
  readonly pageUrl: string | null;
};

/** The last comparison: when it ended, and the code of its failure. */
export type Round = { readonly at: number; readonly failure: string | null };

export type Guard = {
  readonly findings: FindingStore;
  /** Null before the first one. */
  lastRound(): Round | null;
  /** The time of the last round that compared both sides; null before the first one. */
  lastGoodAt(): number | null;
  /** Reads what is new on both sides, compares, and tells of what is due. Never throws: a failure is logged, and the next round repeats it. */
  round(signal: AbortSignal): Promise<void>;
  /** Rounds until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** Stands by two sides of a shop. It writes only its own store. @throws DatabaseError */
export async function openGuard(options: GuardOptions): Promise<Guard> {
  const { clock, log, readers } = options;
  const database = await openFactDatabase(options.store);
  const store = factStoreOf(database);
  const findings = findingStoreOf(database);
  let last: Round | null = null;
  let goodAt: number | null = null;
  let deepAt = 0;

  async function compare(signal: AbortSignal): Promise<void> {
    const now = clock.now();
    const isDeep = now - deepAt >= auditLimits.guardDeepMs;
    const from = Math.floor(now / DAY) * DAY - options.days * DAY;
    const recheckMs = isDeep ? auditLimits.recheckMs : auditLimits.guardRecheckMs;
    const result = await runAudit({ ...readers, store, clock, signal, from, until: now, now, recheckMs });
    await findings.recordRound(result.findings, { from, at: now });
    if (isDeep) deepAt = now;
    goodAt = clock.now();
  }

  async function round(signal: AbortSignal): Promise<void> {
    let failure: string | null = null;
    try {
      await compare(signal);
    } catch (error) {
      if (signal.aborted) return;
      failure = codeOf(error) ?? "unknown";
      log.error("guard.round_failed", { code: failure });
    }
    // What was found before is told although a side does not answer now.
    await sendFindingAlerts({ ...options, findings, everyMs: options.alertEveryMs }).catch((error: unknown) => {
      log.error("guard.alerts_failed", { code: codeOf(error) ?? "unknown" });
    });
    last = { at: clock.now(), failure };
  }

  return {
    findings,
    lastRound: () => last,
    lastGoodAt: () => goodAt,
    round,
    async run(signal) {
      while (!signal.aborted) {
        await round(signal);
        await clock.sleep(options.everyMs, signal).catch(() => undefined);
      }
    },
    close: () => database.close(),
  };
}

const DAY = 86_400_000;
