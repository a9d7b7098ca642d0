import { join } from "node:path";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";

/**
 * Holds the data directory for this process until the returned function is called. The lock is SQLite's own, on a file
 * beside the data: it dies with the process, whatever killed it, and a process id that was given out again cannot fake it.
 * @throws Error when another sandbox holds the directory
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
  await new Promise<void>((held, refused) => {
    database.db
      .connection()
      .execute(async (connection) => {
        // No waiting: whoever holds it will not let go.
        await sql`pragma busy_timeout = 0`.execute(connection);
        await sql`begin exclusive`.execute(connection);
        held();
        await released;
        await sql`rollback`.execute(connection);
      })
      .catch(refused);
  });
  return async () => {
    release();
    await database.close();
  };
}
