// Copies rows of one ledger into another, which has the tables and lacks the rows: [from, to, table, table, …].
import { openDatabase } from "@tillkit/sql";

const ROWS_AT_ONCE = 500;

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const [from = "", to = "", ...tables] = process.argv.slice(2);
const [source, target] = [await openDatabase<Tables>(from), await openDatabase<Tables>(to)];
for (const table of tables) {
  const rows = await source.db.selectFrom(table).selectAll().execute();
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const insert = target.db.insertInto(table).values(rows.slice(first, first + ROWS_AT_ONCE));
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
  }
}
await Promise.all([source.close(), target.close()]);
