import { readFileSync } from "node:fs";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";

// Empties a PostgreSQL database of the tests and runs a file of SQL in it, as the restore of a backup does.
const [url = "", file = ""] = process.argv.slice(2);
const database = await openDatabase<object>(url);
await sql.raw("drop schema public cascade; create schema public").execute(database.db);
await sql.raw(readFileSync(file, "utf8")).execute(database.db);
await database.close();
