import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startPostgres } from "../flood/postgres.ts";

// node --import tsx --conditions=@tillkit/source test/prove/upgrade/make-fixture.ts ledger-0001
// Writes <name>.db, <name>.sql and <name>.json into this folder, from the code of this checkout. Needs a PostgreSQL server and
// pg_dump on this machine.
const [name = ""] = process.argv.slice(2);
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "tillkit-fixture-"));
const fileOf = (ending: string) => fileURLToPath(new URL(`${name}.${ending}`, import.meta.url));

const onSqlite = await writeLedger(`sqlite:${join(folder, "ledger.db")}`);
const postgres = await startPostgres();
const onPostgres = await writeLedger(postgres.url);
const { stdout: dump } = await run("pg_dump", ["--inserts", "--no-owner", "--no-privileges", postgres.url]);
await postgres.stop();
writeFileSync("/tmp/rename/ledger/a.json", onSqlite); writeFileSync("/tmp/rename/ledger/b.json", onPostgres);
if (onSqlite !== onPostgres) throw new Error("The two engines led to different worlds: the fixture is not made.");

writeFileSync(fileOf("db"), readFileSync(join(folder, "ledger.db")));
writeFileSync(fileOf("sql"), withoutSettings(dump));
writeFileSync(fileOf("json"), onSqlite);
rmSync(folder, { recursive: true });

/** Fills the ledger in a process of its own, which dies in the middle of its work, and returns what it left as JSON. */
async function writeLedger(url: string): Promise<string> {
  const program = fileURLToPath(new URL("write-ledger.ts", import.meta.url));
  const world = join(folder, "world.json");
  await run(process.execPath, ["--import", "tsx", "--conditions=@tillkit/source", program, url, world]);
  return readFileSync(world, "utf8");
}

/** The dump without comments, session settings and psql commands, so that it runs as plain SQL in any session. */
function withoutSettings(sql: string): string {
  const isSetting = (line: string) => /^(--|SET |SELECT pg_catalog\.set_config|\\|\s*$)/.test(line);
  return `${sql.split("\n").filter((line) => !isSetting(line)).join("\n")}\n`;
}
