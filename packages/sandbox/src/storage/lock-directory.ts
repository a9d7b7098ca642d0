import { join } from "node:path";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";

/**
 * Locks the data directory for this process until the returned function is called. The lock is a SQLite lock on a separate
 * file. The lock ends with the process in every case, and unlike a file with a process id it cannot become stale.
 * @throws Error when another sandbox uses the directory
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const database = await openDatabase<object>(`sqlite:${join(directory, "lock.db")}`);
  try {
    return await holdLock(database);
  } catch (cause) {
    await database.close();
    throw new Error(
      `Another sandbox is running on ${directory}: stop it, or start this one with another --data directory.`,
      { cause },
    );
  }
}

async function holdLock(database: Database<object>): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((resolve, reject) => {
    database.db
      .connection()
      .execute(async (connection) => {
        // It fails at once, because another sandbox keeps its lock while it runs.
        await sql`begin exclusive`.execute(connection);
        resolve();
        await released;
        await sql`rollback`.execute(connection);
      })
      .catch(reject);
  });
  return async () => {
    release();
    await database.close();
  };
}
