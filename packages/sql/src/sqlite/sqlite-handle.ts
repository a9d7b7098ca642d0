import type { StorableValue } from "../database/storable.ts";

/** The part of the `node:sqlite` API that this package uses; @photostructure/sqlite has it too. */
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

type SqliteLibrary = { DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean }) => SqliteHandle };

// Older versions can lose a write when two processes restart the write-ahead log at the same moment.
const FIRST_SAFE_VERSION = [3, 51, 3] as const;

/** Node's SQLite if its version is safe, else @photostructure/sqlite, which has the same API. */
export async function loadSqlite(): Promise<SqliteLibrary> {
  // Checks the version first, because loading the built-in prints a warning on some releases of Node.
  if (isSafe(process.versions.sqlite)) {
    // Not an import: bundlers rewrite `node:sqlite`, and the import fails where Node lacks it.
    const builtIn = process.getBuiltinModule("node:sqlite") as SqliteLibrary | undefined;
    if (builtIn !== undefined) return builtIn;
  }
  return import("@photostructure/sqlite");
}

function isSafe(version: string | undefined): boolean {
  const parts = (version ?? "0.0.0").split(".").map(Number);
  for (const [index, required] of FIRST_SAFE_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== required) return part > required;
  }
  return true;
}
