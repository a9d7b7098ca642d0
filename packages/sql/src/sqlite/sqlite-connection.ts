import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { checkStorable } from "../database/storable.ts";
import type { SqliteHandle, SqliteStatement } from "./sqlite-handle.ts";

const STATEMENTS_KEPT = 500;

type Prepared = { readonly statement: SqliteStatement; readonly reads: boolean };

/** Kysely's view of the one connection. Statements are kept, because preparing one costs more than running it. */
export function createSqliteConnection(handle: SqliteHandle): DatabaseConnection {
  const kept = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const statement = handle.prepare(sql);
    const prepared = { statement, reads: statement.columns().length > 0 };
    const oldest = kept.size < STATEMENTS_KEPT ? undefined : kept.keys().next().value;
    if (oldest !== undefined) kept.delete(oldest);
    kept.set(sql, prepared);
    return prepared;
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { statement, reads } = prepare(sql);
      const values = checkStorable(parameters);
      if (reads) return { rows: statement.all(...values) as Row[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
    async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
      for (const row of prepare(sql).statement.iterate(...checkStorable(parameters))) yield { rows: [row as Row] };
    },
  };
}
