import {
  type Clock,
  codeOf,
  exponentialBackoff,
  type Log,
  type Records,
  runWithRenewal,
  safeReason,
} from "@tillkit/core";
import { runtimeLimits } from "../limits.ts";
import { createDueQueue, type DueQueue, type QueueEntry, type TaskId } from "./due-queue.ts";
import type { Outbox, OutboxTask, StoredTask, TaskResult } from "./outbox-task.ts";
import { createTaskRows, type TaskRow, type TaskRows } from "./task-rows.ts";
import { createWaitCorrection } from "./wait-correction.ts";

export type OutboxOptions<State> = {
  /** The kind of the tasks' rows in `records`. */
  readonly kind: string;
  readonly records: Records;
  readonly clock: Clock;
  readonly log: Log;
  /** Called again after a crash, so it must be idempotent. When it throws, the task is tried again later. */
  readonly run: (task: OutboxTask<State>) => Promise<TaskResult<State>>;
};

/**
 * Tasks that a platform stores in the ledger's records beside the engine's jobs. A task survives a crash at any point, and only one
 * process runs it at a time.
 */
export function createOutbox<State>(options: OutboxOptions<State>): Outbox<State> {
  const { kind, records, clock } = options;
  const queue = createDueQueue(records, kind);
  const rows = createTaskRows<State>(records, kind, queue);
  const runEntry = createTaskRunner(options, queue, rows);
  const shortenWaits = createWaitCorrection(clock, queue, rows);

  return {
    async add(storeId, key, state) {
      const now = clock.now();
      const row = { state, attempts: 0, dueAt: now, scheduledAt: now, doneAt: null, reason: null };
      return (await rows.write({ storeId, key }, row, "new")) ? "added" : "exists";
    },
    async find(storeId, key) {
      const found = await rows.read({ storeId, key });
      return found && storedTask(key, found.row);
    },
    async runDue() {
      const entries = await queue.list(runtimeLimits.tasksPerRun);
      const now = clock.now();
      const due = entries.filter(({ dueAt }) => dueAt <= now);
      await shortenWaits(entries.filter(({ dueAt }) => dueAt > now));
      const ran = await mapConcurrently(due, runtimeLimits.tasksAtOnce, runEntry);
      return ran.filter(Boolean).length;
    },
    async listDead(storeId) {
      const dead: StoredTask<State>[] = [];
      for await (const { id, row } of rows.list(storeId)) if (row.reason !== null) dead.push(storedTask(id.key, row));
      return dead;
    },
    async retryDead(storeId, key) {
      const found = await rows.read({ storeId, key });
      if (!found || found.row.reason === null) return;
      const now = clock.now();
      const row = { ...found.row, attempts: 0, dueAt: now, scheduledAt: now, reason: null };
      await rows.write({ storeId, key }, row, found.version);
    },
    async removeDone(before) {
      let removed = 0;
      for await (const { id, row, version } of rows.list()) {
        const isOld = row.doneAt !== null && row.doneAt < before;
        if (isOld && (await rows.remove(id, version))) removed += 1;
      }
      return removed;
    },
  };
}

function storedTask<State>(key: string, { scheduledAt: _, ...row }: TaskRow<State>): StoredTask<State> {
  return { key, ...row };
}

/** Short enough for the lease to outlive one failed renewal. */
const RENEWAL_INTERVAL_MS = runtimeLimits.taskLeaseMs / 3;

/** Runs the task of a queue entry under a lease. Returns false when the entry is stale or another process runs the task. */
function createTaskRunner<State>(
  { kind, clock, log, run }: OutboxOptions<State>,
  queue: DueQueue,
  rows: TaskRows<State>,
): (entry: QueueEntry) => Promise<boolean> {
  return async function runEntry({ dueAt, id }) {
    const found = await rows.read(id);
    const now = clock.now();
    if (found === null || found.row.dueAt !== dueAt) {
      // A process writes the entry before the row, so the row of a new entry may still follow.
      if (dueAt + runtimeLimits.staleEntryMs < now) await queue.remove(dueAt, id);
      return false;
    }
    const leasedUntil = now + runtimeLimits.taskLeaseMs;
    const leased = { ...found.row, attempts: found.row.attempts + 1, dueAt: leasedUntil, scheduledAt: now };
    if (!(await rows.write(id, leased, found.version))) return false;
    const lease: TaskLease<State> = { id, row: leased, version: found.version + 1 };
    const result = await runWithRenewal(
      clock,
      RENEWAL_INTERVAL_MS,
      () => renewLease(lease),
      () => runTask({ ...id, state: leased.state, attempts: leased.attempts }),
    );
    const next = rowAfter(lease.row, result, clock.now());
    await rows.write(id, next, lease.version);
    for (const time of [dueAt, lease.row.dueAt]) {
      // A task that is due again at the same time needs the entry of that time.
      if (time !== null && time !== next.dueAt) await queue.remove(time, id);
    }
    return true;
  };

  // False: another process took the task over, or the answer to an earlier renewal was lost and the stored version is unknown. Then
  // the task runs again when the stored lease ends.
  async function renewLease(lease: TaskLease<State>): Promise<boolean> {
    const { id, row } = lease;
    const now = clock.now();
    const renewed = { ...row, dueAt: now + runtimeLimits.taskLeaseMs, scheduledAt: now };
    try {
      if (!(await rows.write(id, renewed, lease.version))) return false;
      lease.row = renewed;
      lease.version += 1;
      if (row.dueAt !== null && row.dueAt !== renewed.dueAt) await queue.remove(row.dueAt, id);
    } catch (error) {
      log.warn("outbox.lease_not_renewed", { kind, storeId: id.storeId, code: codeOf(error) });
    }
    return true;
  }

  async function runTask(task: OutboxTask<State>): Promise<TaskResult<State>> {
    const { storeId, state, attempts } = task;
    const { taskRetryMs, taskRetryMaxMs } = runtimeLimits;
    try {
      const result = await run(task);
      if (result.status === "dead") log.error("outbox.task_dead", { kind, storeId, reason: result.reason });
      return result;
    } catch (error) {
      log.warn("outbox.task_failed", { kind, storeId, attempts, code: codeOf(error), reason: safeReason(error) });
      return { status: "later", state, dueAt: clock.now() + exponentialBackoff(taskRetryMs, taskRetryMaxMs, attempts) };
    }
  }
}

/** The row as this process wrote it last, with its version. */
type TaskLease<State> = { readonly id: TaskId; row: TaskRow<State>; version: number };

function rowAfter<State>(leased: TaskRow<State>, result: TaskResult<State>, now: number): TaskRow<State> {
  const { state } = result;
  if (result.status === "later") return { ...leased, state, dueAt: result.dueAt, scheduledAt: now };
  if (result.status === "dead") return { ...leased, state, dueAt: null, reason: result.reason };
  return { ...leased, state, dueAt: null, doneAt: now };
}

/** Limits how many items run at once: the backlog of an outage must not start all at once when the outage ends. */
async function mapConcurrently<Item, Value>(
  items: readonly Item[],
  concurrency: number,
  run: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const remaining = items.values();
  const values: Value[] = [];
  async function runNext(): Promise<void> {
    for (const item of remaining) values.push(await run(item));
  }
  await Promise.all(Array.from({ length: concurrency }, runNext));
  return values;
}
