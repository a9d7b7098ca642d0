import type { StorableValue } from "../database/storable.ts";

/** What we use of the `node:sqlite` API, and no more, so that its drop-in fits too. */
export type SqliteHandle = {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
};

export type SqliteStatement = {
  all(...values: StorableValue[]): unknown[];
  run(...values: StorableValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...values: StorableValue[]): Iterable<unknown>;
  columns(): readonly unknown[];
};

type SqliteLibrary = { DatabaseSync: new (file: string) => SqliteHandle };

// Older releases can lose a write when two processes restart the write-ahead log at the same moment.
const FIRST_SAFE_VERSION = [3, 51, 3] as const;

/** Node's own SQLite where it is there and safe, else the drop-in with the same API. */
export async function loadSqlite(): Promise<SqliteLibrary> {
  // Asked for by version first: loading the built-in prints a warning on some releases of Node, for nothing if it is not used.
  if (isSafe(process.versions.sqlite)) {
    // Not an import: bundlers rewrite `node:sqlite`, and where Node has none an import fails.
    const builtIn = process.getBuiltinModule("node:sqlite") as SqliteLibrary | undefined;
    if (builtIn !== undefined) return builtIn;
  }
  return import("@photostructure/sqlite");
}

function isSafe(version: string | undefined): boolean {
  const parts = (version ?? "0.0.0").split(".").map(Number);
  for (const [index, wanted] of FIRST_SAFE_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
