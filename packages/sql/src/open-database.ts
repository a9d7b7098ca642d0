import type { Kysely } from "kysely";
import { DatabaseError } from "./database/database-error.ts";
import type { MigrationHistory } from "./database/migrations.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** An open database. `Schema` is Kysely's: table name to columns. */
export type Database<Schema> = {
  readonly engine: "sqlite" | "postgres";
  /** For reads and single statements. Inside `transaction` use the session that is passed in. */
  readonly db: Kysely<Schema>;
  /** For single statements that must not wait behind all the others: on PostgreSQL they have a connection of their own. */
  readonly urgent: Kysely<Schema>;
  /**
   * Runs `work` in a transaction and resolves when it is durable; when `work` throws, nothing of it is kept and the
   * error is thrown on. `work` speaks to nothing but its session: waiting for `db` or another transaction inside would
   * wait for itself.
   *
   * On SQLite there is one writer at a time; transactions that wait at the same moment share one commit, each behind its
   * own savepoint. On PostgreSQL they run side by side at "read committed": what `work` relies on it must lock or write
   * under a condition, and it must be able to run again, which it does when it met another in a deadlock.
   * @throws DatabaseError `database_busy`, `database_closed`
   */
  transaction<Result>(work: (session: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Brings the tables of one owner up to date. Safe when several processes start at once, and when repeated.
   * @throws DatabaseError `database_newer`, `database_busy`
   */
  migrate(history: MigrationHistory): Promise<void>;
  /**
   * Calls `hear` for each `notify` on the channel, by any process, and after a lost connection once more, because nobody
   * knows what was said meanwhile. Answers how to stop. Only where a database can tell: PostgreSQL.
   */
  readonly listen?: (channel: string, hear: (payload: string) => void) => () => void;
  /** Waits for the transactions that were already asked for. */
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** PostgreSQL only: the schema in which all tables stand, made when it is missing; the database's own order unless set. */
  readonly schema?: string | undefined;
};

/**
 * Opens `sqlite::memory:`, `sqlite:/path/to/file.db` (a file and its folders are created when they do not exist) or
 * `postgres://user:password@host/database`.
 * @throws DatabaseError `database_url_invalid`, `engine_not_supported`, `database_not_opened`, `database_busy`
 */
export async function openDatabase<Schema>(url: string, { schema }: DatabaseOptions = {}): Promise<Database<Schema>> {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) return openSqlite(url.slice("sqlite:".length));
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, schema);
  // Only the word before "://" is repeated: what follows may be a password.
  const other = /^([a-z]+):\/\//.exec(url)?.[1];
  if (other !== undefined) {
    throw new DatabaseError(
      "engine_not_supported",
      `There is no driver for ${other}: use sqlite:/path/to/file.db or postgres://user:password@host/database.`,
    );
  }
  throw new DatabaseError(
    "database_url_invalid",
    "A database address looks like sqlite:/path/to/file.db, sqlite::memory: or postgres://user:password@host/database.",
  );
}
