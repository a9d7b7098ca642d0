import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const pluginTests = fileURLToPath(new URL("../wordpress-plugin/test", import.meta.url));

/** Null when PHP can be called, otherwise why its tests are left out. */
export function whyNoPhp(): string | null {
  return spawnSync("php", ["--version"]).status === 0 ? null : "no php on this machine";
}

/** What PHP printed; its errors go into the exception. */
export async function php(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("php", words, { maxBuffer: 16_000_000 });
  return stdout;
}
