import { join } from "node:path";
import { type Database, openDatabase } from "@tillkit/sql";
import type { Kysely } from "kysely";
import { lockDirectory } from "./lock-directory.ts";
import { migrations } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** The database, or an open database transaction. */
export type SandboxDatabase = Kysely<Tables>;

export type Store = {
  /** The database, for reads. */
  readonly database: SandboxDatabase;
  /** Runs `work` in one database transaction. Its writes are durable when the promise resolves. */
  write<Result>(work: (database: SandboxDatabase) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

/**
 * Opens the database. `data` is `:memory:`, or a directory that is created when it does not exist.
 * @throws Error when another sandbox uses the directory
 */
export async function openStore(data: string): Promise<Store> {
  const unlock = data === ":memory:" ? async () => {} : await lockDirectory(data);
  try {
    const file = data === ":memory:" ? data : join(data, "sandbox.db");
    const database: Database<Tables> = await openDatabase(`sqlite:${file}`);
    await database.migrate(migrations);
    return {
      database: database.db,
      write: (work) => database.transaction(work),
      async close() {
        await database.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Reads a value that is not a resource of the API: settings, clock offset, faults. */
export async function readMeta(database: SandboxDatabase, name: string): Promise<unknown> {
  const row = await database.selectFrom("meta").select("value").where("name", "=", name).executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.value);
}

export async function writeMeta(database: SandboxDatabase, name: string, value: unknown): Promise<void> {
  const row = { name, value: JSON.stringify(value) };
  await database
    .insertInto("meta")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: row.value }))
    .execute();
}
