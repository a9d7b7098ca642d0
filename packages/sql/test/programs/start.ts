import { once } from "node:events";
import { openDatabase } from "@tillkit/sql";

// A program that starts for the first time: after a message it opens the database and applies all migrations.
const url = process.argv[2] ?? "";
process.send?.("ready");
await once(process, "message");
const database = await openDatabase<object>(url);
const first = { name: "0001", sqlite: "create table steps (id integer primary key) strict" };
const others = Array.from({ length: 20 }, (_, id) => ({
  name: `0002-${id}`,
  sqlite: `insert into steps values (${id})`,
}));
await database.migrate({ owner: "start", steps: [first, ...others] });
await database.close();
process.disconnect();
