import { CompiledQuery, type Insertable } from "kysely";
import type { SandboxDatabase } from "./open-store.ts";
import type { Tables } from "./tables.ts";

// The statements of every checkout session are SQL text, because Kysely takes longer to build them than SQLite takes to run them.

const insertTexts = new Map<string, string>();

export async function insertRow<Name extends keyof Tables>(
  database: SandboxDatabase,
  table: Name,
  row: Insertable<Tables[Name]>,
): Promise<void> {
  const columns = Object.keys(row);
  const target = `${table} (${columns.join(", ")})`;
  let text = insertTexts.get(target);
  if (text === undefined) {
    text = `insert into ${target} values (${columns.map(() => "?").join(", ")})`;
    insertTexts.set(target, text);
  }
  await runStatement(database, text, Object.values(row));
}

export async function runStatement<Row>(
  database: SandboxDatabase,
  text: string,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const result = await database.executeQuery<Row>(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>);
  return result.rows;
}
