import type { Kysely } from "kysely";
import type { Work } from "../database/database.ts";
import { busyDeadline, busyError, isBusy, isOver, waitForAttempt } from "./busy.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";
import type { WalFlush } from "./wal-flush.ts";

/** Limits how long one commit blocks the event loop. */
const MAX_WRITES_PER_COMMIT = 256;

/** Settles the promise of a write's caller, once the commit is on the disk. */
type Settle = () => void;
type Write<Schema> = {
  /** How long the write waits for another process. */
  readonly deadline: number;
  run(session: Kysely<Schema>): Promise<Settle>;
  fail(error: unknown): void;
};

export type GroupCommitOptions<Schema> = {
  readonly db: Kysely<Schema>;
  readonly handle: SqliteHandle;
  readonly scheduleCommit: (commit: () => void) => void;
  readonly wal: WalFlush | null;
};

export type GroupCommit<Schema> = {
  write<Result>(work: Work<Schema, Result>): Promise<Result>;
  /** Resolves when no write is waiting. */
  idle(): Promise<void>;
};

/**
 * Group commit: all writes that wait share one transaction, and so one flush of the disk. Each write has its own savepoint, so a
 * write that throws does not affect the others; each caller gets its result when the commit is on the disk. `scheduleCommit` runs the
 * commit at the end of the turn of the event loop. `wal` is null in memory.
 *
 * During a flush the event loop goes on, and other connections see the commit already. What another connection writes because of
 * this commit comes later in the same log, so its flush covers both commits.
 */
export function createGroupCommit<Schema>(options: GroupCommitOptions<Schema>): GroupCommit<Schema> {
  const { db, scheduleCommit, wal } = options;
  let waiting: Write<Schema>[] = [];
  let running: Promise<void> | null = null;

  async function commitWaiting(): Promise<void> {
    let busyAttempts = 0;
    while (waiting.length > 0) {
      await new Promise<void>(scheduleCommit);
      const busy = await commitTogether();
      busyAttempts = busy === null ? 0 : busyAttempts + 1;
      if (busy !== null) await waitForOtherProcess(busy.cause, busyAttempts);
    }
    running = null;
  }

  function takeGroup(): readonly Write<Schema>[] {
    return waiting.splice(0, MAX_WRITES_PER_COMMIT);
  }

  /** Returns the error of SQLite when another process writes: then every write still waits. */
  async function commitTogether(): Promise<{ readonly cause: unknown } | null> {
    let group: readonly Write<Schema>[] = [];
    const take = () => {
      group = takeGroup();
      return group;
    };
    try {
      wal?.assertWorks();
      const settleCallbacks = await db.connection().execute((session) => inOneTransaction(options, session, take));
      if (wal) await wal.flush();
      for (const settle of settleCallbacks) settle();
    } catch (error) {
      return failGroup(group, error);
    }
    return null;
  }

  /** No write was taken when the transaction did not begin. */
  function failGroup(group: readonly Write<Schema>[], error: unknown): { readonly cause: unknown } | null {
    const hasBegun = group.length > 0;
    if (!hasBegun && isBusy(error)) return { cause: error };
    for (const write of hasBegun ? group : takeGroup()) write.fail(error);
    return null;
  }

  /** Between two attempts nothing is held: reads go on, and further writes join the group. */
  async function waitForOtherProcess(cause: unknown, attempts: number): Promise<void> {
    const late = waiting.filter(({ deadline }) => isOver(deadline));
    waiting = waiting.filter((write) => !late.includes(write));
    for (const write of late) write.fail(busyError(cause));
    if (waiting.length > 0) await waitForAttempt(attempts);
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({
          deadline: busyDeadline(),
          run: (session) => inSavepoint(options.handle, session, work, resolve, reject),
          fail: reject,
        });
        running ??= commitWaiting();
      }),
    idle: async () => {
      await running;
    },
  };
}

async function inOneTransaction<Schema>(
  { handle, wal }: GroupCommitOptions<Schema>,
  session: Kysely<Schema>,
  takeGroup: () => readonly Write<Schema>[],
): Promise<readonly Settle[]> {
  // SQLite does not flush this commit, because the group does. Every other write keeps the connection's own setting.
  if (wal) handle.exec("pragma synchronous = normal");
  try {
    handle.exec("begin immediate");
    const settleCallbacks: Settle[] = [];
    for (const write of takeGroup()) settleCallbacks.push(await write.run(session));
    handle.exec("commit");
    return settleCallbacks;
  } finally {
    if (handle.isTransaction) handle.exec("rollback");
    if (wal) handle.exec("pragma synchronous = full");
  }
}

async function inSavepoint<Schema, Result>(
  handle: SqliteHandle,
  session: Kysely<Schema>,
  work: Work<Schema, Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Promise<Settle> {
  handle.exec("savepoint one_write");
  try {
    const result = await work(session);
    handle.exec("release one_write");
    return () => resolve(result);
  } catch (error) {
    // A full disk or a damaged file ends the whole transaction, and no write of the group is kept.
    if (!handle.isTransaction) throw error;
    handle.exec("rollback to one_write");
    handle.exec("release one_write");
    return () => reject(error);
  }
}
