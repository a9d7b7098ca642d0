import { openLedger } from "@tillkit/ledger";
import { type Database, openDatabase } from "@tillkit/sql";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { HISTORY } from "../src/migrations/history.ts";
import { olderPaymentId, placeOlderLedger } from "./older-ledger.ts";

/** The tables of a ledger that an older version wrote. */
export function olderTablesAreBroughtForward(where: string, newUrl: () => string): void {
  it(`an older ledger ${where} has the tables, indexes and triggers of a new one after it was opened`, async () => {
    const url = newUrl();
    await (await openLedger(url)).close();
    const ofNew = await readSchema(url);
    await placeOlderLedger(url);
    expect(await readSchema(url)).not.toEqual(ofNew);
    await (await openLedger(url)).close();
    const brought = await readSchema(url);
    // Only a ledger that an older process may still write to needs this trigger.
    const isForOlderProcesses = (line: string) => /tillkit_task_of_older_version|tillkit_move_task/.test(line);
    expect(brought.filter(isForOlderProcesses)).not.toEqual([]);
    expect(brought.filter((line) => !isForOlderProcesses(line))).toEqual(ofNew);
    expect(ofNew.length).toBeGreaterThan(150);
    await (await openLedger(url)).close();
    expect(await readSchema(url)).toEqual(brought);
  });

  it(`a ledger ${where} of the eleven unreleased migrations is recognized as it is`, async () => {
    const url = newUrl();
    await (await openLedger(url)).close();
    await withDatabase(url, (database) => recordMigrations(database, HISTORY.upgrades?.[1]?.from ?? []));
    const before = await readSchema(url);
    await (await openLedger(url)).close();
    expect(await readSchema(url)).toEqual(before);
    expect(await withDatabase(url, readMigrations)).toEqual(["0001-first-schema", "0002-modes"]);
  });

  it.each([1, 5, 7, 10])(
    `a ledger ${where} after %i of the former migrations is refused, with what to do`,
    async (count) => {
      const url = newUrl();
      await (await openLedger(url)).close();
      const applied = HISTORY.upgrades?.[1]?.from.slice(0, count) ?? [];
      await withDatabase(url, (database) => recordMigrations(database, applied));
      await expect(openLedger(url)).rejects.toMatchObject({
        code: "database_older",
        message: expect.stringContaining(
          `its last migration is "${applied.at(-1)}", and this program starts from "0006-movements" or "0011-job-reasons"): open it once`,
        ),
      });
      expect(await withDatabase(url, readMigrations)).toEqual(applied);
    },
  );

  it(`an older ledger ${where} still says who named the transaction of a payment`, async () => {
    const url = newUrl();
    await placeOlderLedger(url);
    const ledger = await openLedger(url);
    const paymentId = olderPaymentId("transaction named");
    const named = (await ledger.timeline({ paymentId })).filter((entry) => entry.kind === "transaction_named");
    const [transaction] = await ledger.transactions(paymentId);
    expect(named).toMatchObject([{ by: "owner Ama", transactionId: transaction?.id }]);
    await ledger.close();
  });
}

async function withDatabase<Answer>(url: string, work: (database: Database<object>) => Promise<Answer>) {
  const database = await openDatabase<object>(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function readMigrations({ db }: Database<object>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from tillkit_migrations order by position`.execute(db);
  return rows.map(({ name }) => name);
}

async function recordMigrations({ db }: Database<object>, names: readonly string[]): Promise<void> {
  await sql`delete from tillkit_migrations`.execute(db);
  for (const [position, name] of names.entries())
    await sql`insert into tillkit_migrations (owner, position, name)
      values (${HISTORY.owner}, ${position}, ${name})`.execute(db);
}

/** Every column, constraint, index, trigger and function, one a line, in an order that does not depend on how it came about. */
async function readSchema(url: string): Promise<readonly string[]> {
  return await withDatabase(url, async ({ db, engine }) => {
    const lines: string[] = [];
    for (const query of SCHEMA_QUERIES[engine]) {
      const { rows } = await sql.raw<object>(query).execute(db);
      lines.push(...rows.map((row) => JSON.stringify(row).replaceAll(/(?:\\n|\s)+/g, " ")));
    }
    return lines.sort();
  });
}

const SCHEMA_QUERIES = {
  sqlite: [
    `select owner.name as owner, part.name, part.type, part."notnull", part.dflt_value, part.pk
      from sqlite_schema owner, pragma_table_xinfo(owner.name) part where owner.type = 'table'`,
    `select owner.name as owner, part."unique", part.origin, part.partial, (select group_concat(info.name)
        from pragma_index_info(part.name) info) as columns
      from sqlite_schema owner, pragma_index_list(owner.name) part where owner.type = 'table'`,
    `select owner.name as owner, part."table", part."from", part."to", part.on_delete
      from sqlite_schema owner, pragma_foreign_key_list(owner.name) part where owner.type = 'table'`,
    "select name, wr, strict from pragma_table_list",
    "select sql from sqlite_schema where type in ('index', 'trigger') and sql is not null",
  ],
  postgres: [
    `select table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity
      from information_schema.columns where table_schema = 'public'`,
    "select indexdef from pg_indexes where schemaname = 'public'",
    `select conrelid::regclass::text as owner, pg_get_constraintdef(oid) as text from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'`,
    "select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal",
    "select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace",
  ],
} as const;
