import type { Kysely } from "kysely";
import { DatabaseError } from "./database-error.ts";
import type { MigrationHistory } from "./migrations.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/** An open database. `Schema` is Kysely's: table name to columns. */
export type Database<Schema> = {
  readonly engine: "sqlite" | "postgres";
  /** For reads and single statements. Inside `transaction` use the session that is passed in. */
  readonly db: Kysely<Schema>;
  /**
   * Runs `work` in a transaction and resolves when it is durable; when `work` throws, nothing of it is kept and the
   * error is thrown on. On SQLite, transactions that wait at the same moment share one commit, each behind its own
   * savepoint. `work` speaks to nothing but its session: waiting for `db` or another transaction inside would wait for itself.
   * @throws DatabaseError `database_busy`, `database_closed`
   */
  transaction<Result>(work: (session: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Brings the tables of one owner up to date. Safe when several processes start at once, and when repeated.
   * @throws DatabaseError `database_newer`, `database_busy`
   */
  migrate(history: MigrationHistory): Promise<void>;
  /** Waits for the transactions that were already asked for. */
  close(): Promise<void>;
};

/**
 * Opens `sqlite::memory:` or `sqlite:/path/to/file.db`; a file and its folders are created when they do not exist.
 * @throws DatabaseError `database_url_invalid`, `engine_not_supported`, `database_not_opened`, `database_busy`
 */
export async function openDatabase<Schema>(url: string): Promise<Database<Schema>> {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length) return openSqlite(url.slice("sqlite:".length));
  if (/^postgres(ql)?:/.test(url)) {
    throw new DatabaseError(
      "engine_not_supported",
      "PostgreSQL is not supported by this version yet: use sqlite:/path/to/file.db.",
    );
  }
  throw new DatabaseError(
    "database_url_invalid",
    "A database address looks like sqlite:/path/to/file.db or sqlite::memory:.",
  );
}
