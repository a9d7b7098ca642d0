import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "@tillkit/core";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "./schema.ts";

const CHANNEL = "tillkit_work";
/** What is told within this time is told together. */
const TOGETHER_MS = 20;

export type WorkSignal = {
  tell(): void;
  onWork(hear: () => void): () => void;
  close(): Promise<void>;
};

/** Whether somebody could do something at once. */
export function addsWork({ jobs = [], retried = [] }: Change): boolean {
  const now = Date.now();
  return [...jobs, ...retried].some(({ dueAt }) => dueAt !== null && dueAt <= now);
}

/**
 * Tells workers that there is work: those of this process at once, those of others where the database can. Told after the
 * commit and not in it: PostgreSQL lets one transaction at a time commit that notifies, and a flood of webhooks would stand
 * in that queue. A process that dies between the two takes a hint with it, and the next round of any worker finds the work.
 */
export function createWorkSignal({ db, listen }: Database<LedgerSchema>): WorkSignal {
  const sender = randomUUID();
  const hearers = new Set<() => void>();
  const closed = new AbortController();
  let isWanted = false;
  let telling: Promise<void> | null = null;
  let stopListening: (() => void) | null = null;

  const wakeUp = () => {
    for (const hear of hearers) hear();
  };

  // A turn at a time, and one more for what was told meanwhile.
  async function tellAll(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      wakeUp();
      // A hint that cannot be given is lost, no more.
      if (listen) await sql`select pg_notify(${CHANNEL}, ${sender})`.execute(db).catch(() => {});
      await sleep(TOGETHER_MS, undefined, { ref: false, signal: closed.signal }).catch(() => {});
    }
    telling = null;
  }

  return {
    tell() {
      if (hearers.size === 0 && listen === undefined) return;
      isWanted = !closed.signal.aborted;
      telling ??= Promise.resolve().then(tellAll);
    },
    onWork(hear) {
      // The same function twice is two hearers.
      const own = () => hear();
      hearers.add(own);
      stopListening ??= listen?.(CHANNEL, (from) => from !== sender && wakeUp()) ?? null;
      return () => {
        hearers.delete(own);
        if (hearers.size > 0) return;
        stopListening?.();
        stopListening = null;
      };
    },
    async close() {
      hearers.clear();
      isWanted = false;
      closed.abort();
      await telling;
    },
  };
}
