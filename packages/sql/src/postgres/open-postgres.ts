import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import type { Database, Work } from "../database/database.ts";
import { closedError } from "../database/database-error.ts";
import { createCommitWatch } from "./commit-watch.ts";
import { createEvictingPool, type EvictingPool } from "./evicting-pool.ts";
import {
  ignoredReadOnlyError,
  ignoredSchemaError,
  isRetryable,
  LOCK_TIMEOUT_MS,
  standbyError,
} from "./postgres-errors.ts";
import { type Listener, startListener } from "./postgres-listener.ts";
import { assertMigrated, migratePostgres } from "./postgres-migrations.ts";
import { CONNECTIONS, createKyselyPool, createPool } from "./postgres-pool.ts";

const MAX_ATTEMPTS = 8;
/** How long a write waits for a database server that has vanished without closing its connections. */
const WRITE_TIMEOUT_MS = 5_000;
/** Reads of long lists may take longer than a write. */
const READ_TIMEOUT_MS = 10_000;
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

export type PostgresOptions = {
  readonly schema?: string | undefined;
  readonly listenUrl?: string | undefined;
  readonly readOnly?: boolean | undefined;
};

/** @throws DatabaseError `database_url_invalid`, `database_not_opened`, `database_busy` */
export async function openPostgres<Schema>(url: string, options: PostgresOptions = {}): Promise<Database<Schema>> {
  const { schema, listenUrl = url, readOnly } = options;
  const pool = await createPool(url, CONNECTIONS.usual, { schema, readOnly });
  const usualPool = createEvictingPool(pool);
  const db = createKysely<Schema>(usualPool, READ_TIMEOUT_MS);
  const writer = createKysely<Schema>(usualPool, WRITE_TIMEOUT_MS);
  const urgentPool = createEvictingPool(await createPool(url, CONNECTIONS.urgent, { schema, readOnly }));
  const urgent = createKysely<Schema>(urgentPool, WRITE_TIMEOUT_MS);
  const commitWatch = createCommitWatch(db);
  const running = new Set<Promise<unknown>>();
  const listeners = new Set<Listener>();
  let closing: Promise<void> | null = null;

  async function trackRunning<Result>(task: () => Promise<Result>): Promise<Result> {
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
    transaction: (work) => trackRunning(() => commitWatch.watch(() => inTransaction(writer, work))),
    migrate: (history) =>
      trackRunning(() => (readOnly ? assertMigrated(pool, history) : migratePostgres(pool, history))),
    listen(channel, onNotification) {
      if (closing !== null) throw closedError();
      const listener = startListener(listenUrl, channel, onNotification);
      listeners.add(listener);
      return () => void listener.stop().then(() => listeners.delete(listener));
    },
    condition: () => commitWatch.condition(),
    close() {
      const listening = [...listeners].map((listener) => listener.stop());
      closing ??= Promise.allSettled([...running, ...listening]).then(async () => {
        // `writer` uses the pool of `db`.
        await Promise.all([db.destroy(), urgent.destroy()]);
      });
      return closing;
    },
  };
  try {
    if (readOnly) await assertReadOnly(db);
    // A standby is a read-only copy of the database: it refuses every write.
    else if ((await commitWatch.condition()) === "standby") throw standbyError();
    if (schema !== undefined) await useSchema(db, schema, readOnly);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function createKysely<Schema>(pool: EvictingPool, timeoutMs: number): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: createKyselyPool(pool, timeoutMs) }) });
}

// A pooler may drop the start option, and the connection would write.
async function assertReadOnly<Schema>(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ state: string }>`select current_setting('transaction_read_only') as state`.execute(db);
  if (rows[0]?.state !== "on") throw ignoredReadOnlyError();
}

// A pooler may drop the start option that selects the schema. All tables would then silently be created in another schema.
async function useSchema<Schema>(db: Kysely<Schema>, schema: string, readOnly = false): Promise<void> {
  if (!readOnly) await createSchema(db, schema);
  for (let looksLeft = 20; ; looksLeft -= 1) {
    const current = await currentSchema(db);
    if (current === schema) return;
    // PostgreSQL tells other sessions a moment after its commit that a schema exists. Until then, theirs is none.
    if (current !== null || looksLeft === 0) throw ignoredSchemaError(schema);
    await sleep(50);
  }
}

async function currentSchema<Schema>(db: Kysely<Schema>): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? null;
}

// Looks for the schema first, because `create schema` needs a privilege, even when the schema exists and nothing is created.
async function createSchema<Schema>(db: Kysely<Schema>, schema: string): Promise<void> {
  const exists = async () => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
    return rows.length > 0;
  };
  if (await exists()) return;
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db);
  } catch (error) {
    // When several processes create the schema at once, all but one may get an error although the schema exists now.
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
      const waitMs = Math.random() * 10 * attemptNumber;
      await sleep(waitMs);
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
