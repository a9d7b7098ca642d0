import type { Kysely } from "kysely";
import type { Work } from "../database/database.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

/** Limits how long one commit blocks the event loop. */
const MAX_WRITES_PER_COMMIT = 256;

type Settle = () => void;
type Write<Schema> = { run(session: Kysely<Schema>): Promise<Settle>; fail(error: unknown): void };

export type GroupCommit<Schema> = {
  write<Result>(work: Work<Schema, Result>): Promise<Result>;
  /** Resolves when no write is waiting. */
  idle(): Promise<void>;
};

/**
 * Group commit: all writes of one turn of the event loop share one transaction, and so one `fsync`. Each write has its own
 * savepoint, so one that throws does not affect the others; each caller gets its result after the commit. `scheduleCommit`
 * runs the commit at the end of the turn.
 */
export function createGroupCommit<Schema>(
  db: Kysely<Schema>,
  handle: SqliteHandle,
  begin: () => void,
  scheduleCommit: (commit: () => void) => void,
): GroupCommit<Schema> {
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
      const settleCallbacks = await db
        .connection()
        .execute((session) => inOneTransaction(handle, begin, session, group));
      for (const settle of settleCallbacks) settle();
    } catch (error) {
      for (const write of group) write.fail(error);
    }
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ run: (session) => inSavepoint(handle, session, work, resolve, reject), fail: reject });
        running ??= commitWaiting();
      }),
    idle: async () => {
      await running;
    },
  };
}

async function inOneTransaction<Schema>(
  handle: SqliteHandle,
  begin: () => void,
  session: Kysely<Schema>,
  group: readonly Write<Schema>[],
): Promise<readonly Settle[]> {
  begin();
  try {
    const settleCallbacks: Settle[] = [];
    for (const write of group) settleCallbacks.push(await write.run(session));
    handle.exec("commit");
    return settleCallbacks;
  } catch (error) {
    if (handle.isTransaction) handle.exec("rollback");
    throw error;
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
