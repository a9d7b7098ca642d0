import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";
import type { TestReport } from "./named-tests.ts";

/** The time limit of one start of vitest. After it, a mutant has made something run forever. */
const TIMEOUT_MS = 600_000;
const PROGRAM = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/named-tests.ts"];

/** Runs the named tests of these mutants in the copy, in one process. */
export async function tryNamedTests(tree: MutatedTree, mutants: readonly Mutant[]): Promise<readonly TestReport[]> {
  if (mutants.length === 0) return [];
  // A mutant lets some tests wait in vain.
  const env = { ...process.env, NODE_ENV: "test", TILLKIT_PATIENCE_MS: "20000" };
  // A separate process group, so that all processes that a test started end with it.
  const child = spawn(process.execPath, PROGRAM, { cwd: tree.root, env, detached: true });
  const endGroup = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  const timeout = setTimeout(endGroup, TIMEOUT_MS);
  process.once("exit", endGroup);
  const [output, errorOutput] = [text(child.stdout), text(child.stderr)];
  child.stdin.end(JSON.stringify(mutants));
  await once(child, "exit");
  clearTimeout(timeout);
  process.off("exit", endGroup);
  // The output of the tests is between the reports.
  const reports = (await output)
    .split("\n")
    .filter((line) => line.startsWith(`{"id":`))
    .map((line): TestReport => JSON.parse(line));
  const why = `the named tests ended too early. ${(await errorOutput).slice(-1_000)}`;
  const unreported = mutants.filter(({ id }) => !reports.some((report) => report.id === id));
  return [...reports, ...unreported.map(({ id }) => ({ id, tried: false, noticed: false, why, ms: 0 }))];
}

/** Returns why this machine cannot try the mutant, or null if it can. */
export function whySkipped({ edits }: Mutant): string | null {
  if (!edits.some(({ file }) => file.endsWith(".php"))) return null;
  return spawnSync("php", ["--version"]).status === 0 ? null : "there is no PHP on this machine";
}
