import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import { closedError, DatabaseError } from "../database/database-error.ts";
import { retryWhileBusy } from "./busy.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createLogTruncation } from "./log-truncation.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { loadSqlite, type SqliteHandle } from "./sqlite-handle.ts";
import { migrateSqlite } from "./sqlite-migrations.ts";
import { createWalFlush } from "./wal-flush.ts";

/** A checkpoint blocks the thread while it waits for the disk, so checkpoints are rare: the log first grows to about 16 MB. */
const CHECKPOINT_PAGES = 4_000;

/** @throws DatabaseError `database_not_opened`, `database_busy` */
export async function openSqlite<Schema>(file: string): Promise<Database<Schema>> {
  const inMemory = file === ":memory:";
  const handle = await openHandle(file, inMemory);
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(handle) });
  const wal = inMemory ? null : createWalFlush(fileOf(handle));
  // A file gets one commit for all transactions of a turn of the event loop. In memory a commit is cheap, and its moment must be deterministic.
  const group = createGroupCommit({ db, handle, wal, scheduleCommit: inMemory ? queueMicrotask : setImmediate });
  const truncation = inMemory ? null : createLogTruncation(db, handle);
  let closing: Promise<void> | null = null;

  return {
    engine: "sqlite",
    db,
    urgent: db,
    async transaction(work) {
      if (closing !== null) throw closedError();
      return group.write(work);
    },
    async migrate(history) {
      if (closing !== null) throw closedError();
      await db.connection().execute(() => migrateSqlite(handle, history));
    },
    ...(truncation ? { truncateLog: truncation.request } : {}),
    async vacuum() {
      if (closing !== null) throw closedError();
      await db.connection().execute(() => retryWhileBusy(() => handle.exec("vacuum")));
      await truncation?.request();
    },
    close() {
      closing ??= group.idle().then(async () => {
        await truncation?.close();
        await db.destroy();
        await wal?.close();
        handle.close();
      });
      return closing;
    },
  };
}

async function openHandle(file: string, inMemory: boolean): Promise<SqliteHandle> {
  const { DatabaseSync } = await loadSqlite();
  let handle: SqliteHandle | null = null;
  try {
    if (!inMemory) mkdirSync(dirname(file), { recursive: true });
    const opened = new DatabaseSync(file);
    handle = opened;
    await prepareHandle(opened);
    return handle;
  } catch (cause) {
    handle?.close();
    if (cause instanceof DatabaseError) throw cause;
    throw notOpenedError(file, cause);
  }
}

export function notOpenedError(file: string, cause: unknown): DatabaseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError("database_not_opened", `The database file ${file} cannot be opened: ${reason}.`, { cause });
}

/** The database's file as SQLite resolved it, through symbolic links. */
function fileOf(handle: SqliteHandle): string {
  const [main] = handle.prepare("pragma database_list").all() as { readonly file: string }[];
  return main?.file ?? "";
}

async function prepareHandle(handle: SqliteHandle): Promise<void> {
  // First: SQLite must never wait for another process, because its wait blocks the thread.
  handle.exec("pragma busy_timeout = 0");
  await retryWhileBusy(() => handle.exec("pragma journal_mode = wal"));
  // Full, so that a commit survives a power loss and not only a crash of the process.
  handle.exec("pragma synchronous = full");
  handle.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  handle.exec("pragma foreign_keys = on");
  // Deleted bytes are overwritten with zeros. SQLite's default only forgets where they are.
  handle.exec("pragma secure_delete = on");
}
