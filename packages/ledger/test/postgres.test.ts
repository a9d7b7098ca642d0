import { openLedger } from "@tillkit/ledger";
import { openDatabase } from "@tillkit/sql";
import { paymentLedgerContract } from "@tillkit/testkit/vitest";
import { sql } from "kysely";
import { afterAll, beforeEach, describe } from "vitest";
import { processesShareALedger } from "./processes-share-a-ledger.ts";
import { startPostgres } from "./start-postgres.ts";

const postgres = await startPostgres();
const database = await openDatabase<object>(postgres.url);
beforeEach(async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

paymentLedgerContract(postgres.isServer ? "the ledger on a PostgreSQL server" : "the ledger on PGlite", {
  open: () => openLedger(postgres.url),
});

const reason = postgres.isServer ? "" : " (skipped: no PostgreSQL server on this machine)";
describe.skipIf(!postgres.isServer)(`with a server${reason}`, () => {
  processesShareALedger("on PostgreSQL", () => postgres.url);
});
