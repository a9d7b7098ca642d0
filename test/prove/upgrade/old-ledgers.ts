import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Ledger, openLedger } from "@tillkit/ledger";
import type { KeptWorld } from "./kept-world.ts";

const RUN_SQL = fileURLToPath(new URL("../../../packages/sql/test/programs/run-sql.ts", import.meta.url));
const file = (ending: string) => fileURLToPath(new URL(`ledger-0001.${ending}`, import.meta.url));

/** What the service and the shops knew when the old ledger was left behind; each time a copy of one's own. */
export function keptWorld(): KeptWorld {
  return JSON.parse(readFileSync(file("json"), "utf8")) as KeptWorld;
}

/** Opens a copy of the old SQLite ledger with today's code. */
export async function withOldFile<Answer>(work: (ledger: Ledger) => Promise<Answer>): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-upgrade-"));
  copyFileSync(file("db"), join(folder, "ledger.db"));
  try {
    return await withLedger(`sqlite:${join(folder, "ledger.db")}`, work);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fills a PostgreSQL with the old ledger and opens it with today's code. */
export async function withOldPostgres<Answer>(url: string, work: (ledger: Ledger) => Promise<Answer>): Promise<Answer> {
  await promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    "--conditions=@tillkit/source",
    RUN_SQL,
    url,
    file("sql"),
  ]);
  return await withLedger(url, work);
}

async function withLedger<Answer>(url: string, work: (ledger: Ledger) => Promise<Answer>): Promise<Answer> {
  const ledger = await openLedger(url);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
