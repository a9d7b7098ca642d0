import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import type { Database } from "../database/database.ts";
import { closedError, DatabaseError } from "../database/database-error.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createSqliteDialect } from "./sqlite-dialect.ts";
import { loadSqlite, type SqliteHandle } from "./sqlite-handle.ts";
import { migrateSqlite } from "./sqlite-migrations.ts";
import { createWalFlush } from "./wal-flush.ts";

/** How long a statement waits for another process. The wait blocks the thread, so it must stay short. */
const BUSY_TIMEOUT_MS = 5_000;
const WAL_RETRY_MS = 20;
/** SQLite's result code for a locked database. */
const SQLITE_BUSY = 5;
/** A checkpoint blocks the thread while it waits for the disk, so checkpoints are rare: the log first grows to about 16 MB. */
const CHECKPOINT_PAGES = 4_000;

/** @throws DatabaseError `database_not_opened`, `database_busy` */
export async function openSqlite<Schema>(file: string): Promise<Database<Schema>> {
  const inMemory = file === ":memory:";
  const handle = await openHandle(file, inMemory);
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(handle) });
  const begin = () => withBusyError(() => handle.exec("begin immediate"));
  const wal = inMemory ? null : createWalFlush(fileOf(handle));
  // A file gets one commit for all transactions of a turn of the event loop. In memory a commit is cheap, and its moment must be deterministic.
  const group = createGroupCommit({ db, handle, begin, wal, scheduleCommit: inMemory ? queueMicrotask : setImmediate });
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
      await db.connection().execute(async () => migrateSqlite(handle, begin, history));
    },
    close() {
      closing ??= group.idle().then(async () => {
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatabaseError("database_not_opened", `The database file ${file} cannot be opened: ${reason}.`, { cause });
  }
}

/** The database's file as SQLite resolved it, through symbolic links. */
function fileOf(handle: SqliteHandle): string {
  const [main] = handle.prepare("pragma database_list").all() as { readonly file: string }[];
  return main?.file ?? "";
}

async function prepareHandle(handle: SqliteHandle): Promise<void> {
  // First, because switching to the write-ahead log may have to wait for other processes.
  handle.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  await useWriteAheadLog(handle);
  // Full, so that a commit survives a power loss and not only a crash of the process.
  handle.exec("pragma synchronous = full");
  handle.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  handle.exec("pragma foreign_keys = on");
}

/** When several processes open a new file, SQLite immediately refuses all processes but one, without waiting for `busy_timeout`. */
async function useWriteAheadLog(handle: SqliteHandle): Promise<void> {
  // An attempt may fail at once or after a whole `busy_timeout`, so the loop ends by time and not by number of attempts.
  const endsAt = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return handle.exec("pragma journal_mode = wal");
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= endsAt) throw busyError(error);
    }
    await sleep(WAL_RETRY_MS);
  }
}

function withBusyError(run: () => void): void {
  try {
    run();
  } catch (error) {
    throw isBusy(error) ? busyError(error) : error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

function busyError(cause: unknown): DatabaseError {
  return new DatabaseError(
    "database_busy",
    `Another process has locked the database for more than ${BUSY_TIMEOUT_MS / 1000} seconds: try again, or stop that process.`,
    { cause },
  );
}
