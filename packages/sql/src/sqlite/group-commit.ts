import type { Kysely } from "kysely";
import type { Work } from "../database/database.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";
import type { WalFlush } from "./wal-flush.ts";

/** Limits how long one commit blocks the event loop. */
const MAX_WRITES_PER_COMMIT = 256;

/** Settles the promise of a write's caller, once the commit is on the disk. */
type Settle = () => void;
type Write<Schema> = { run(session: Kysely<Schema>): Promise<Settle>; fail(error: unknown): void };

export type GroupCommitOptions<Schema> = {
  readonly db: Kysely<Schema>;
  readonly handle: SqliteHandle;
  readonly begin: () => void;
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
    while (waiting.length > 0) {
      await new Promise<void>(scheduleCommit);
      const group = waiting.slice(0, MAX_WRITES_PER_COMMIT);
      waiting = waiting.slice(MAX_WRITES_PER_COMMIT);
      await commitTogether(group);
    }
    running = null;
  }

  async function commitTogether(group: readonly Write<Schema>[]): Promise<void> {
    try {
      wal?.assertWorks();
      const settleCallbacks = await db.connection().execute((session) => inOneTransaction(options, session, group));
      if (wal) await wal.flush();
      for (const settle of settleCallbacks) settle();
    } catch (error) {
      for (const write of group) write.fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({
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
  { handle, begin, wal }: GroupCommitOptions<Schema>,
  session: Kysely<Schema>,
  group: readonly Write<Schema>[],
): Promise<readonly Settle[]> {
  // SQLite does not flush this commit, because the group does. Every other write keeps the connection's own setting.
  if (wal) handle.exec("pragma synchronous = normal");
  try {
    begin();
    const settleCallbacks: Settle[] = [];
    for (const write of group) settleCallbacks.push(await write.run(session));
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
