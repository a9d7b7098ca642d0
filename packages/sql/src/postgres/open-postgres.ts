import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Database, Work } from "../database/database.ts";
import { closedError } from "../database/database-error.ts";
import { isRetryable, LOCK_TIMEOUT_MS } from "./postgres-errors.ts";
import { type Listener, startListener } from "./postgres-listener.ts";
import { migratePostgres } from "./postgres-migrations.ts";
import { CONNECTIONS, createKyselyPool, createPool } from "./postgres-pool.ts";

const MAX_ATTEMPTS = 8;
const IDLE_TIMEOUT_MS = 30_000;
/**
 * Sets the timeouts in the message of the `begin`, which costs no round trip and works behind a pooler that rejects start
 * options.
 */
const BEGIN = sql.raw(
  `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
);
const COMMIT = sql.raw("commit");
const ROLLBACK = sql.raw("rollback");

/** @throws DatabaseError `database_url_invalid`, `database_not_opened`, `database_busy` */
export async function openPostgres<Schema>(url: string, schema?: string): Promise<Database<Schema>> {
  const pool = await createPool(url, CONNECTIONS.usual, schema);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createKyselyPool(pool) }) });
  const urgentPool = createKyselyPool(await createPool(url, CONNECTIONS.urgent, schema));
  const urgent = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: urgentPool }) });
  const running = new Set<Promise<unknown>>();
  const listeners = new Set<Listener>();
  let closing: Promise<void> | null = null;

  async function tracked<Result>(task: () => Promise<Result>): Promise<Result> {
    if (closing !== null) throw closedError();
    const promise = task();
    running.add(promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  }

  const database: Database<Schema> = {
    engine: "postgres",
    db,
    urgent,
    transaction: (work) => tracked(() => inTransaction(db, work)),
    migrate: (history) => tracked(() => migratePostgres(pool, history)),
    listen(channel, onNotification) {
      if (closing !== null) throw closedError();
      const listener = startListener(url, channel, onNotification);
      listeners.add(listener);
      return () => void listener.stop().then(() => listeners.delete(listener));
    },
    close() {
      const listening = [...listeners].map((listener) => listener.stop());
      closing ??= Promise.allSettled([...running, ...listening]).then(async () => {
        await Promise.all([db.destroy(), urgent.destroy()]);
      });
      return closing;
    },
  };
  try {
    await sql`select 1`.execute(db);
    if (schema !== undefined) await createSchema(db, schema);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

// Looks for the schema first, because creating one needs a privilege that the program may lack once the schema exists.
async function createSchema<Schema>(db: Kysely<Schema>, schema: string): Promise<void> {
  const exists = async () => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
    return rows.length > 0;
  };
  if (await exists()) return;
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  } catch (error) {
    // When several processes create the schema at once, all but one may get an error although it exists now.
    if (!(await exists())) throw error;
  }
}

async function inTransaction<Schema, Result>(db: Kysely<Schema>, work: Work<Schema, Result>): Promise<Result> {
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    try {
      return await db.connection().execute((session) => runOnce(session, work));
    } catch (error) {
      if (attemptNumber === MAX_ATTEMPTS || !isRetryable(error)) throw error;
      // A random wait, so that the deadlocked transactions do not meet again.
      await sleep(Math.random() * 10 * attemptNumber);
    }
  }
}

async function runOnce<Schema, Result>(session: Kysely<Schema>, work: Work<Schema, Result>): Promise<Result> {
  await BEGIN.execute(session);
  try {
    const result = await work(session);
    await COMMIT.execute(session);
    return result;
  } catch (error) {
    // A rollback fails only after a lost connection, which has rolled back already. The first error explains more.
    await ROLLBACK.execute(session).catch(() => {});
    throw error;
  }
}
