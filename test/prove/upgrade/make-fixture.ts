import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres } from "../../postgres/start-postgres.ts";

// node --import tsx --conditions=@tillkit/source test/prove/upgrade/make-fixture.ts
// Writes ledger-0006.db, .sql and .json into this folder, with the code of the commit that knew that schema.
const COMMIT = "330af3844f3c1af9e60aea41e0f61f8a093b49cd";
const NAME = "ledger-0006";
const PROGRAMS = ["write-ledger.mjs", "write-tasks.mjs", "fixture-service.ts"];

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tillkit-fixture-"));
const checkout = join(folder, "checkout");
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

await run("git", ["worktree", "add", "--detach", checkout, COMMIT]);
try {
  await run(process.execPath, [".setup/run.mjs", "everything", "tsc", "--version"], { cwd: checkout });
  for (const program of PROGRAMS) copyFileSync(pathOf(program), join(checkout, "test/prove/upgrade", program));
  await makeFixture();
} finally {
  await run("git", ["worktree", "remove", "--force", checkout]);
  rmSync(folder, { recursive: true });
}

async function makeFixture(): Promise<void> {
  const onSqlite = await writeLedger(`sqlite:${join(folder, "ledger.db")}`);
  const postgres = await startPostgres({ durable: true });
  const onPostgres = await writeLedger(postgres.url);
  const { stdout: dump } = await run("pg_dump", ["--inserts", "--no-owner", "--no-privileges", postgres.url]);
  await postgres.stop();
  // Both ledgers get the same payments at the same times of a manual clock. Only the order in which the real databases answer can
  // differ from run to run, so another run may agree.
  if (onSqlite !== onPostgres)
    throw new Error(
      "SQLite and PostgreSQL led to different results, so no fixture was written. Run the program again.",
    );
  copyFileSync(join(folder, "ledger.db"), pathOf(`${NAME}.db`));
  writeFileSync(pathOf(`${NAME}.sql`), withoutSettings(dump));
  writeFileSync(pathOf(`${NAME}.json`), onSqlite);
}

/**
 * Fills the ledger in a separate process of the older version. That process exits without finishing its payments and refunds, because a
 * later version is to finish them. Returns what the service and the stores know at that moment.
 */
async function writeLedger(url: string): Promise<string> {
  const knownFile = join(folder, "known.json");
  const program = "test/prove/upgrade/write-ledger.mjs";
  const options = ["--import", "tsx", "--conditions=@tillkit/source"];
  await run(process.execPath, [...options, program, url, knownFile], { cwd: checkout });
  return readFileSync(knownFile, "utf8");
}

/** Removes comments, session settings and psql commands, so that any session can run the dump as plain SQL. */
function withoutSettings(sql: string): string {
  const isSetting = (line: string) => /^(--|SET |SELECT pg_catalog\.set_config|\\|\s*$)/.test(line);
  return `${sql
    .split("\n")
    .filter((line) => !isSetting(line))
    .join("\n")}\n`;
}
