import type { Database } from "./database/database.ts";
import { DatabaseError } from "./database/database-error.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { openSqliteReader } from "./sqlite/open-sqlite-reader.ts";

export type DatabaseOptions = {
  /** PostgreSQL only: the schema of all tables, created when it is missing. Default: the search path of the database. */
  readonly schema?: string | undefined;
  /**
   * PostgreSQL only: the address for `listen`. Needed when the database is reached through a pooler such as PgBouncer, which
   * accepts LISTEN and never passes a notification on: name the server itself here. Default: the address of the database.
   */
  readonly listenUrl?: string | undefined;
  /**
   * The engine itself refuses every write, nothing is created, and `migrate` only checks that no migration is pending. A standby of
   * PostgreSQL can be read too.
   */
  readonly readOnly?: boolean | undefined;
};

/**
 * Opens `sqlite::memory:`, `sqlite:/path/to/file.db` (creates the file and its folders when they are missing) or
 * `postgres://user:password@host/database`.
 * @throws DatabaseError `database_url_invalid`, `engine_not_supported`, `database_not_opened`, `database_busy`
 */
export async function openDatabase<Schema>(url: string, options: DatabaseOptions = {}): Promise<Database<Schema>> {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) {
    const file = url.slice("sqlite:".length);
    return options.readOnly ? openSqliteReader(file) : openSqlite(file);
  }
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, options);
  // The message repeats only the scheme, because the rest of the address may hold a password.
  const scheme = /^([a-z]+):\/\//.exec(url)?.[1];
  if (scheme !== undefined) {
    throw new DatabaseError(
      "engine_not_supported",
      `There is no driver for ${scheme}: use sqlite:/path/to/file.db or postgres://user:password@host/database.`,
    );
  }
  throw new DatabaseError(
    "database_url_invalid",
    "A database address looks like sqlite:/path/to/file.db, sqlite::memory: or postgres://user:password@host/database.",
  );
}
