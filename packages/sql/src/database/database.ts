import type { Kysely } from "kysely";
import type { MigrationHistory } from "./migrations.ts";

/** An open database. `Schema` is Kysely's type of the tables: table name to columns. */
export type Database<Schema> = {
  readonly engine: "sqlite" | "postgres";
  /** For reads and single statements outside `transaction`. */
  readonly db: Kysely<Schema>;
  /** For single statements that must not queue behind all others. On PostgreSQL they have a connection of their own. */
  readonly urgent: Kysely<Schema>;
  /**
   * Runs `work` in a transaction and resolves when the commit is durable. When `work` throws, the transaction is rolled back
   * and the error is rethrown. `work` must use only the session that it receives: a call of `db` or `transaction` inside `work`
   * would wait for this transaction and never resolve.
   *
   * On SQLite one transaction writes at a time; transactions that wait together share one commit, each in its own savepoint.
   * On PostgreSQL transactions run side by side at "read committed": `work` must lock, or write under a condition, what it
   * relies on. After a deadlock `work` runs again, so it must be repeatable.
   * @throws DatabaseError `database_busy`, `database_silent`, `database_lost`, `database_closed`
   */
  transaction<Result>(work: Work<Schema, Result>): Promise<Result>;
  /**
   * Applies the pending migrations of one owner. Several processes may migrate at once, and a repeated call does nothing.
   * @throws DatabaseError `database_newer`, `database_older`, `database_busy`
   */
  migrate(history: MigrationHistory): Promise<void>;
  /**
   * Calls `onNotification` with the payload of every `notify` on the channel, from any process, and with an empty payload
   * after a lost connection, because notifications may have been missed. Returns a function that ends these calls. PostgreSQL only.
   */
  readonly listen?: (channel: string, onNotification: (payload: string) => void) => () => void;
  /** Whether the server takes writes now. PostgreSQL only. */
  readonly condition?: () => Promise<DatabaseCondition>;
  /**
   * Removes from the files what was deleted or overwritten before. Resolves after the first attempt; while another process reads or
   * writes, it is repeated in the background. Files of SQLite only.
   */
  readonly truncateLog?: () => Promise<void>;
  /**
   * Rewrites the file without its free pages, and with them what an older version deleted there. Other processes cannot write meanwhile.
   * SQLite only. @throws DatabaseError `database_busy`, `database_closed`
   */
  readonly vacuum?: () => Promise<void>;
  /** Waits for running and queued transactions, then closes the database. */
  close(): Promise<void>;
};

/**
 * `standby`: the server only reads, for example after another server took over. `commits_wait`: commits have been waiting for more
 * than two seconds for a standby that does not answer.
 */
export type DatabaseCondition = "ready" | "standby" | "commits_wait";

/** The body of a transaction. */
export type Work<Schema, Result> = (session: Kysely<Schema>) => Promise<Result>;
