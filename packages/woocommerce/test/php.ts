import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const pluginTests = fileURLToPath(new URL("../wordpress-plugin/test", import.meta.url));

/** Null if this machine has PHP, else the reason why tests that need PHP are skipped. */
export function phpSkipReason(): string | null {
  return spawnSync("php", ["--version"]).status === 0 ? null : "no php on this machine";
}

/** Runs PHP and returns its standard output. Throws an error with the error output if PHP fails. */
export async function php(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("php", args, { maxBuffer: 16_000_000 });
  return stdout;
}
