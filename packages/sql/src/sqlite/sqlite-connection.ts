import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { checkStorable } from "../database/storable.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

const MAX_CACHED_STATEMENTS = 500;

type PreparedStatement = { readonly statement: SqliteStatement; readonly returnsRows: boolean };

/** The only connection, as Kysely uses it. It caches statements, because preparing a statement takes longer than running it. */
export function createSqliteConnection(handle: SqliteHandle): DatabaseConnection {
  const cache = new Map<string, PreparedStatement>();

  function prepare(sql: string): PreparedStatement {
    const cached = cache.get(sql);
    if (cached !== undefined) return cached;
    const statement = handle.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    const oldest = cache.size < MAX_CACHED_STATEMENTS ? undefined : cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(sql, prepared);
    return prepared;
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { statement, returnsRows } = prepare(sql);
      const values = checkStorable(parameters);
      if (returnsRows) return { rows: statement.all(...values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      for (const row of prepare(sql).statement.iterate(...checkStorable(parameters))) yield { rows: [row as Row] };
    },
  };
}
