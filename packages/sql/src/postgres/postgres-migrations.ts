import type { Pool, PoolClient } from "pg";
import { DatabaseError } from "../database/database-error.ts";
import { type MigrationHistory, nextStep, pendingError } from "../database/migrations.ts";
import { toConnectionError, toDatabaseError } from "./postgres-errors.ts";

/** The advisory lock of migrations. The number is arbitrary and must never change. */
const ADVISORY_LOCK = 1_414_097_003;

const TABLE = `
create table tillkit_migrations (
  owner text not null,
  position integer not null,
  name text not null,
  applied_at bigint not null default (extract(epoch from now()) * 1000)::bigint,
  primary key (owner, position)
)`;

/**
 * Applies each migration in its own transaction. The lock keeps other processes from migrating at the same time. Uses the
 * driver's pool directly, because `createKyselyPool` limits the time of a statement, and a migration may take longer.
 */
export async function migratePostgres(pool: Pool, history: MigrationHistory): Promise<void> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw toConnectionError(cause);
  });
  try {
    // `applyNext` returns false when no migration is pending.
    while (await inTransaction(client, () => applyNext(client, history)));
    client.release();
  } catch (error) {
    client.release(true);
    throw toDatabaseError(error);
  }
}

/** For a reader, which brings nothing forward. @throws DatabaseError `database_newer`, `database_older` */
export async function assertMigrated(pool: Pool, history: MigrationHistory): Promise<void> {
  const found = await pool.query("select 1 where to_regclass('tillkit_migrations') is not null").catch((cause) => {
    throw toConnectionError(cause);
  });
  const applied = found.rows.length === 0 ? [] : await namesOf(pool, history.owner);
  if (nextStep(history, applied) !== null) throw pendingError(history);
}

async function inTransaction<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
  const result = await work();
  await client.query("commit");
  return result;
}

async function applyNext(client: PoolClient, history: MigrationHistory): Promise<boolean> {
  const { owner } = history;
  const next = nextStep(history, await appliedNames(client, owner));
  if (next === null) return false;
  if (next.postgres === undefined) {
    throw new DatabaseError(
      "engine_not_supported",
      `The tables of ${owner} are written for SQLite only: use sqlite:/path/to/file.db.`,
    );
  }
  await client.query(next.postgres);
  await client.query("delete from tillkit_migrations where owner = $1 and position >= $2", [owner, next.position]);
  await client.query("insert into tillkit_migrations (owner, position, name) values ($1, $2, $3)", [
    owner,
    next.position,
    next.name,
  ]);
  return true;
}

// Looks for the table first: `create table if not exists` needs a privilege, even when the table exists and nothing is created.
async function appliedNames(client: PoolClient, owner: string): Promise<readonly string[]> {
  const found = await client.query("select 1 where to_regclass('tillkit_migrations') is null");
  if (found.rows.length > 0) await client.query(TABLE);
  return await namesOf(client, owner);
}

async function namesOf(client: Pick<PoolClient, "query"> | Pool, owner: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from tillkit_migrations where owner = $1 order by position",
    [owner],
  );
  return rows.map(({ name }) => name);
}
