import { type MigrationHistory, nextStep, pendingError } from "../database/migrations.ts";
import { retryWhileBusy } from "./busy.ts";
import type { SqliteHandle } from "./sqlite-handle.ts";

const TABLE = `
create table if not exists tillkit_migrations (
  owner text not null,
  position integer not null,
  name text not null,
  applied_at integer not null default (unixepoch() * 1000),
  primary key (owner, position)
) strict`;

/** Applies each migration in its own transaction, which also locks out other processes that migrate. */
export async function migrateSqlite(handle: SqliteHandle, history: MigrationHistory): Promise<void> {
  while (await retryWhileBusy(() => hasPending(handle, history))) {
    await retryWhileBusy(() => handle.exec("begin immediate"));
    try {
      applyNext(handle, history);
      handle.exec("commit");
    } catch (error) {
      if (handle.isTransaction) handle.exec("rollback");
      throw error;
    }
  }
}

/** For a reader, which brings nothing forward. @throws DatabaseError `database_newer`, `database_older` */
export async function assertMigrated(handle: SqliteHandle, history: MigrationHistory): Promise<void> {
  if (await retryWhileBusy(() => hasPending(handle, history))) throw pendingError(history);
}

function hasPending(handle: SqliteHandle, history: MigrationHistory): boolean {
  const table = handle.prepare("select 1 from sqlite_schema where name = 'tillkit_migrations'").all();
  return table.length === 0 || nextStep(history, appliedNames(handle, history.owner)) !== null;
}

function applyNext(handle: SqliteHandle, history: MigrationHistory): void {
  handle.exec(TABLE);
  const { owner } = history;
  const next = nextStep(history, appliedNames(handle, owner));
  if (next === null) return;
  handle.exec(next.sqlite);
  handle.prepare("delete from tillkit_migrations where owner = ? and position >= ?").run(owner, next.position);
  handle
    .prepare("insert into tillkit_migrations (owner, position, name) values (?, ?, ?)")
    .run(owner, next.position, next.name);
}

function appliedNames(handle: SqliteHandle, owner: string): readonly string[] {
  const rows = handle.prepare("select name from tillkit_migrations where owner = ? order by position").all(owner);
  return (rows as { name: string }[]).map((row) => row.name);
}
