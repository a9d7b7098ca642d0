import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres } from "../../postgres/start-postgres.ts";

// node --import tsx --conditions=@tillkit/source test/prove/upgrade/make-fixture.ts <name>
// Writes <name>.db, <name>.sql and <name>.json into this folder, with the code of this checkout.
const [name = ""] = process.argv.slice(2);
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tillkit-fixture-"));
const fileOf = (ending: string) => fileURLToPath(new URL(`${name}.${ending}`, import.meta.url));

const onSqlite = await writeLedger(`sqlite:${join(folder, "ledger.db")}`);
const postgres = await startPostgres({ durable: true });
const onPostgres = await writeLedger(postgres.url);
const { stdout: dump } = await run("pg_dump", ["--inserts", "--no-owner", "--no-privileges", postgres.url]);
await postgres.stop();
// Both ledgers get the same payments at the same times of a manual clock. Only the order in which the real databases answer can differ
// from run to run, so another run may agree.
if (onSqlite !== onPostgres)
  throw new Error("SQLite and PostgreSQL led to different results, so no fixture was written. Run the program again.");

writeFileSync(fileOf("db"), readFileSync(join(folder, "ledger.db")));
writeFileSync(fileOf("sql"), withoutSettings(dump));
writeFileSync(fileOf("json"), onSqlite);
rmSync(folder, { recursive: true });

/**
 * Fills the ledger in a separate process. That process exits without finishing its payments and refunds, because a later version is to
 * finish them. Returns what the service and the stores know at that moment.
 */
async function writeLedger(url: string): Promise<string> {
  const program = fileURLToPath(new URL("write-ledger.ts", import.meta.url));
  const knownFile = join(folder, "known.json");
  await run(process.execPath, ["--import", "tsx", "--conditions=@tillkit/source", program, url, knownFile]);
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
