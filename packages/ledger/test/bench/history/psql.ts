import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { serverPrograms } from "../../../../../test/postgres/postgres-programs.ts";

const run = promisify(execFile);

/** Runs statements that take minutes, which a connection of the ledger would give up after seconds. Returns the rows as lines. */
export async function psql(url: string, statements: string): Promise<readonly string[]> {
  const program = join(serverPrograms() ?? "", "psql");
  const options = ["-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statements];
  const { stdout } = await run(program, options, { maxBuffer: 1e8 });
  return stdout.split("\n").filter((line) => line !== "");
}
