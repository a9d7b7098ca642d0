import { sql } from "kysely";
import { ApiError } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { limits } from "../domain/limits.ts";
import { parseStoredSettings } from "../domain/settings.ts";
import type { Fault } from "../faults/fault-request.ts";
import type { Service } from "../runtime/service.ts";
import { readMeta, type SandboxDatabase, writeMeta } from "../storage/open-store.ts";

export type SnapshotRecord = { name: string; saved_at: string };

/** A snapshot copies each table to a table `snapshot_<number>_<table>` in the same database. */
type Snapshot = { number: number; savedAt: number; offsetMs: number; settings: unknown; faults: readonly Fault[] };
type Snapshots = Record<string, Snapshot>;

/**
 * Saves the whole state under a name. A snapshot with the same name is replaced.
 * @throws ApiError `bad_request`
 */
export async function saveSnapshot(service: Service, name: unknown): Promise<SnapshotRecord> {
  if (typeof name !== "string" || !/^[\w.-]{1,64}$/.test(name)) {
    throw new ApiError("bad_request", "name must be 1 to 64 letters, digits, dots, dashes or underscores.");
  }
  const savedAt = service.clock.now();
  await service.store.write(async (database) => {
    const snapshots = await snapshotsIn(database);
    const replaced = snapshots.get(name);
    if (replaced === undefined && snapshots.size >= limits.snapshots) {
      throw new ApiError(
        "bad_request",
        `There are already ${limits.snapshots} snapshots: save under one of their names.`,
      );
    }
    const highestNumber = Math.max(0, ...[...snapshots.values()].map((snapshot) => snapshot.number));
    const number = replaced?.number ?? highestNumber + 1;
    for (const table of await copyNames(database, number)) await sql`drop table ${sql.id(table)}`.execute(database);
    for (const table of await copiedTables(database)) {
      await sql`create table ${sql.id(copyName(table, number))} as select * from ${sql.id(table)}`.execute(database);
    }
    const { settings, clock, faults } = service;
    snapshots.set(name, { number, savedAt, offsetMs: clock.offsetMs(), settings, faults: faults.list() });
    await writeMeta(database, "snapshots", Object.fromEntries(snapshots));
  });
  return { name, saved_at: isoTime(savedAt) };
}

/**
 * Restores data, keys, settings, faults and clock of a snapshot.
 * @throws ApiError `not_found`
 */
export async function loadSnapshot(service: Service, name: string): Promise<SnapshotRecord> {
  const snapshot = await service.store.write(async (database) => {
    const snapshots = await snapshotsIn(database);
    const found = snapshots.get(name);
    if (found === undefined) {
      throw new ApiError(
        "not_found",
        `There is no snapshot "${name}"; saved are: ${[...snapshots.keys()].join(", ")}.`,
      );
    }
    for (const table of await copiedTables(database)) await restore(database, table, copyName(table, found.number));
    await writeMeta(database, "settings", found.settings);
    await writeMeta(database, "clockOffsetMs", found.offsetMs);
    return found;
  });
  service.settings = parseStoredSettings(snapshot.settings);
  service.clock.setOffset(snapshot.offsetMs);
  await service.faults.replace(snapshot.faults);
  service.rateLimits.clear();
  for (const history of Object.values(service.rowHistory)) history.clear();
  service.paymentScheduler.scheduleAt(service.clock.now());
  service.deliveryScheduler.scheduleAt(service.clock.now());
  return { name, saved_at: isoTime(snapshot.savedAt) };
}

async function restore(database: SandboxDatabase, table: string, copy: string): Promise<void> {
  await sql`delete from ${sql.id(table)}`.execute(database);
  // Columns are copied by name, because a newer version of the sandbox may have added columns to the table.
  const columns = await columnsOf(database, copy);
  if (columns.length === 0) return;
  const list = sql.join(columns.map((column) => sql.id(column)));
  await sql`insert into ${sql.id(table)} (${list}) select ${list} from ${sql.id(copy)}`.execute(database);
}

async function snapshotsIn(database: SandboxDatabase): Promise<Map<string, Snapshot>> {
  return new Map(Object.entries(((await readMeta(database, "snapshots")) ?? {}) as Snapshots));
}

function copyName(table: string, number: number): string {
  return `snapshot_${number}_${table}`;
}

async function copyNames(database: SandboxDatabase, number: number): Promise<readonly string[]> {
  const prefix = copyName("", number);
  return (await tableNames(database)).filter((name) => name.startsWith(prefix));
}

/** Every table with data of the service: not `meta`, the history of migrations, SQLite's own tables and earlier copies. */
async function copiedTables(database: SandboxDatabase): Promise<readonly string[]> {
  const excluded = /^(meta|tillkit_.*|sqlite_.*|snapshot_\d+_.*)$/;
  return (await tableNames(database)).filter((name) => !excluded.test(name));
}

async function tableNames(database: SandboxDatabase): Promise<readonly string[]> {
  const found = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(database);
  return found.rows.map(({ name }) => name);
}

async function columnsOf(database: SandboxDatabase, table: string): Promise<readonly string[]> {
  const found = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(database);
  return found.rows.map(({ name }) => name);
}
