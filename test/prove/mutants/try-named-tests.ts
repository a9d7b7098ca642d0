import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";
import type { TestReport } from "./named-tests.ts";

/** Of one start of vitest: beyond this a mutant has made something run for ever. */
const LONGEST_MS = 600_000;
const PROGRAM = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/named-tests.ts"];

/** Runs the named tests of these mutants in the copy, in one process. */
export async function tryNamedTests(tree: MutatedTree, mutants: readonly Mutant[]): Promise<readonly TestReport[]> {
  if (mutants.length === 0) return [];
  const env = { ...process.env, NODE_ENV: "test" };
  // A group of its own: what a test has started ends with it.
  const child = spawn(process.execPath, PROGRAM, { cwd: tree.root, env, detached: true });
  const endGroup = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  const tooLong = setTimeout(endGroup, LONGEST_MS);
  process.once("exit", endGroup);
  const [said, complained] = [text(child.stdout), text(child.stderr)];
  child.stdin.end(JSON.stringify(mutants));
  await once(child, "exit");
  clearTimeout(tooLong);
  process.off("exit", endGroup);
  // Whatever a test printed stands between the reports.
  const reports = (await said)
    .split("\n")
    .filter((line) => line.startsWith(`{"id":`))
    .map((line): TestReport => JSON.parse(line));
  const why = `the named tests ended too early. ${(await complained).slice(-1_000)}`;
  const unsaid = mutants.filter(({ id }) => !reports.some((report) => report.id === id));
  return [...reports, ...unsaid.map(({ id }) => ({ id, tried: false, noticed: false, why, ms: 0 }))];
}

/** Why this machine cannot try the mutant; null where it can. */
export function whyNotHere({ edits }: Mutant): string | null {
  if (!edits.some(({ file }) => file.endsWith(".php"))) return null;
  return spawnSync("php", ["--version"]).status === 0 ? null : "there is no PHP on this machine";
}
