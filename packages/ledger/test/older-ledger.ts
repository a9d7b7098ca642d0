import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { openDatabase } from "@tillkit/sql";
import { sql } from "kysely";

const FOLDER = new URL("../../../test/prove/upgrade/", import.meta.url);

type Known = {
  readonly now: number;
  readonly secret: string;
  readonly secretKey: string;
  readonly sessions: readonly { readonly key: string; readonly request: string }[];
  readonly tasks: readonly { readonly kind: string; readonly uniqueKey: string; readonly state: object }[];
};

/** What the service and the platform know beside the older ledger. */
export const older = JSON.parse(readFileSync(new URL("ledger-0006.json", FOLDER), "utf8")) as Known;

/** Puts the ledger that an older version left in the middle of its work into the place of the database at this address. */
export async function placeOlderLedger(url: string): Promise<void> {
  if (url.startsWith("sqlite:")) {
    const file = url.slice("sqlite:".length);
    for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
    copyFileSync(new URL("ledger-0006.db", FOLDER), file);
    return;
  }
  const database = await openDatabase<object>(url);
  await sql.raw("drop schema public cascade; create schema public").execute(database.db);
  await sql.raw(readFileSync(new URL("ledger-0006.sql", FOLDER), "utf8")).execute(database.db);
  await database.close();
}

/** The payment of the order with this title, which names the state in which it was left. */
export function olderPaymentId(title: string): string {
  const session = older.sessions.find(({ request }) => (JSON.parse(request) as { title: string }).title === title);
  if (session === undefined) throw new Error(`The older ledger has no payment of "${title}".`);
  return session.key;
}
