import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "@tillkit/core/ledger";
import type { Database } from "@tillkit/sql";
import { sql } from "kysely";
import type { LedgerSchema } from "../database/schema.ts";

const CHANNEL = "tillkit_new_jobs";
/** All jobs that are added within this time cause one notification. */
const DEBOUNCE_MS = 20;

export type JobNotifier = {
  notify(): void;
  subscribe(onNewJobs: () => void): () => void;
  close(): Promise<void>;
};

/** Whether the change adds a job that a worker can claim now. */
export function addsDueJobs({ jobs = [], retried = [] }: Change): boolean {
  const now = Date.now();
  return [...jobs, ...retried].some(({ dueAt }) => dueAt !== null && dueAt <= now);
}

/**
 * Wakes workers when there are new jobs: the workers of this process, and on PostgreSQL also the workers of other processes. The
 * notification is sent after the commit and outside its transaction, because PostgreSQL commits transactions that contain NOTIFY
 * one after another, which would slow down a flood of webhooks. If a process dies between commit and notification, workers find
 * the jobs at their next poll.
 */
export function createJobNotifier({ db, listen }: Database<LedgerSchema>): JobNotifier {
  const sender = randomUUID();
  const listeners = new Set<() => void>();
  const closeController = new AbortController();
  let isPending = false;
  let running: Promise<void> | null = null;
  let stopListening: (() => void) | null = null;

  const callListeners = () => {
    for (const listener of listeners) listener();
  };

  // One loop runs at a time. It repeats when `notify` was called during the pause.
  async function notifyAll(): Promise<void> {
    while (isPending) {
      isPending = false;
      callListeners();
      // Workers also poll, so a failed notification loses no job.
      if (listen) await sql`select pg_notify(${CHANNEL}, ${sender})`.execute(db).catch(() => {});
      await sleep(DEBOUNCE_MS, undefined, { ref: false, signal: closeController.signal }).catch(() => {});
    }
    running = null;
  }

  return {
    notify() {
      if (listeners.size === 0 && listen === undefined) return;
      isPending = !closeController.signal.aborted;
      running ??= Promise.resolve().then(notifyAll);
    },
    subscribe(onNewJobs) {
      // A new wrapper for each subscription lets the same function subscribe twice.
      const listener = () => onNewJobs();
      listeners.add(listener);
      stopListening ??= listen?.(CHANNEL, (payload) => payload !== sender && callListeners()) ?? null;
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopListening?.();
        stopListening = null;
      };
    },
    async close() {
      listeners.clear();
      isPending = false;
      closeController.abort();
      await running;
    },
  };
}
