import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Ledger, openLedger } from "@tillkit/ledger";
import type { UpgradeFixture } from "./fixture-service.ts";

const RUN_SQL = fileURLToPath(new URL("../../../packages/sql/test/programs/run-sql.ts", import.meta.url));
const fixtureFile = (ending: string) => fileURLToPath(new URL(`ledger-0006.${ending}`, import.meta.url));

/** Reads what the service and the stores knew when the old version stopped. Every call returns a new copy. */
export function readFixture(): UpgradeFixture {
  return JSON.parse(readFileSync(fixtureFile("json"), "utf8")) as UpgradeFixture;
}

/** Opens a copy of the old SQLite ledger with the current code. */
export async function withSqliteFixture<Answer>(work: (ledger: Ledger) => Promise<Answer>): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), "tillkit-upgrade-"));
  copyFileSync(fixtureFile("db"), join(folder, "ledger.db"));
  try {
    return await withLedger(`sqlite:${join(folder, "ledger.db")}`, work);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Restores the old ledger in a PostgreSQL database and opens it with the current code. */
export async function withPostgresFixture<Answer>(
  url: string,
  work: (ledger: Ledger) => Promise<Answer>,
): Promise<Answer> {
  await promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    "--conditions=@tillkit/source",
    RUN_SQL,
    url,
    fixtureFile("sql"),
  ]);
  return await withLedger(url, work);
}

async function withLedger<Answer>(url: string, work: (ledger: Ledger) => Promise<Answer>): Promise<Answer> {
  const ledger = await openLedger(url, { secretKeys: [readFixture().secretKey] });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
