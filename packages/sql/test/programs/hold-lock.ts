import { once } from "node:events";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";

// A program that begins a transaction on a SQLite file, says so, and keeps the transaction open until a message.
const [url = ""] = process.argv.slice(2);
const database = await openDatabase<object>(url);
await database.db.connection().execute(async (session) => {
  await sql`begin immediate`.execute(session);
  await sql`create table if not exists held (id integer)`.execute(session);
  process.send?.("held");
  await once(process, "message");
  await sql`commit`.execute(session);
});
await database.close();
process.disconnect();
