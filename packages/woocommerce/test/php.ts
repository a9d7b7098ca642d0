import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const pluginTests = fileURLToPath(new URL("../wordpress-plugin/test", import.meta.url));

/** Null if this machine has PHP, else the reason for skipping its tests. */
export function phpSkipReason(): string | null {
  return spawnSync("php", ["--version"]).status === 0 ? null : "no php on this machine";
}

/** Runs PHP and returns its output. Throws with its errors. */
export async function php(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("php", args, { maxBuffer: 16_000_000 });
  return stdout;
}
