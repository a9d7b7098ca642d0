import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Hunt } from "./hunt.ts";
import type { MutatedTree } from "./mutated-tree.ts";

const run = promisify(execFile);
const LONGEST_MS = 300_000;

/** Hunts what lives in the tree, in a process of its own. */
export async function huntMutant({ root }: MutatedTree): Promise<Hunt> {
  const program = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/hunt.ts"];
  const { stdout } = await run(process.execPath, program, { cwd: root, timeout: LONGEST_MS });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Hunt;
}
