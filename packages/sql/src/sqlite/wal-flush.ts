import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseError } from "../database/database-error.ts";

export type WalFlush = {
  /** @throws DatabaseError `database_not_durable` once a flush failed */
  assertWorks(): void;
  /** Resolves when everything that was committed before is on the disk. @throws DatabaseError `database_not_durable` */
  flush(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Waits for the disk outside the thread of the event loop: SQLite itself would block the thread during each commit. `file` is the
 * database's file; its write-ahead log must exist at the first flush and until `close`.
 */
export function createWalFlush(file: string, openFile = open): WalFlush {
  const path = `${file}-wal`;
  let log: FileHandle | null = null;
  let failure: DatabaseError | null = null;

  async function flushLog(): Promise<void> {
    log ??= await openLog(path, openFile);
    await log.datasync();
  }

  return {
    assertWorks() {
      if (failure !== null) throw failure;
    },
    async flush() {
      try {
        await flushLog();
      } catch (cause) {
        failure ??= notDurableError(file, cause);
        throw failure;
      }
    },
    async close() {
      await log?.close();
    },
  };
}

// A new file survives a power loss only if its folder is flushed too. Windows cannot open a folder, so no folder is flushed there.
async function openLog(path: string, openFile: typeof open): Promise<FileHandle> {
  if (process.platform !== "win32") {
    const folder = await openFile(dirname(path), constants.O_RDONLY);
    await folder.sync().finally(() => folder.close());
  }
  // Nothing is written, but Windows flushes only files that are open for writing.
  return await openFile(path, constants.O_RDWR);
}

// After a failed flush the system may report the next flush as successful although the data is lost, so nothing is written any more.
function notDurableError(file: string, cause: unknown): DatabaseError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseError(
    "database_not_durable",
    `The disk did not keep a change of the database ${file}: ${reason}. Check the disk, then start the program again.`,
    { cause },
  );
}
