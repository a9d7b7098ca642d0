import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { closedError } from "../database/database-error.ts";
import type { Database } from "../open-database.ts";
import { isRetryable, LOCK_TIMEOUT_MS } from "./postgres-errors.ts";
import { type Listener, startListener } from "./postgres-listener.ts";
import { migratePostgres } from "./postgres-migrations.ts";
import { CONNECTIONS, createKyselyPool, createPool } from "./postgres-pool.ts";

const TRIES = 8;
const IDLE_TIMEOUT_MS = 30_000;
/** In one message with the `begin`, so that it costs no round trip and works behind a pooler that allows no start options. */
const BEGIN = sql.raw(
  `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
);
const COMMIT = sql.raw("commit");
const ROLLBACK = sql.raw("rollback");

type Work<Schema, Result> = (session: Kysely<Schema>) => Promise<Result>;

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
    listen(channel, hear) {
      if (closing !== null) throw closedError();
      const listener = startListener(url, channel, hear);
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
    if (schema !== undefined) await makeSchema(db, schema);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

// Asked for by name first: making one needs a right that a program on a finished schema need not have.
async function makeSchema<Schema>(db: Kysely<Schema>, schema: string): Promise<void> {
  const isThere = async () => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
    return rows.length > 0;
  };
  if (await isThere()) return;
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  } catch (error) {
    // Of processes that start together all but one may be told that the name was taken meanwhile.
    if (!(await isThere())) throw error;
  }
}

async function inTransaction<Schema, Result>(db: Kysely<Schema>, work: Work<Schema, Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.connection().execute((session) => once(session, work));
    } catch (error) {
      if (tries === TRIES || !isRetryable(error)) throw error;
      // By chance, so that those who met do not meet again.
      await sleep(Math.random() * 10 * tries);
    }
  }
}

async function once<Schema, Result>(session: Kysely<Schema>, work: Work<Schema, Result>): Promise<Result> {
  await BEGIN.execute(session);
  try {
    const result = await work(session);
    await COMMIT.execute(session);
    return result;
  } catch (error) {
    // A rollback fails only where the connection is lost, and then nothing was kept anyway: the first error says more.
    await ROLLBACK.execute(session).catch(() => {});
    throw error;
  }
}
