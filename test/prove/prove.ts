// npm run prove: tries to violate the invariants with every tier of test/prove/tiers. README.md explains its use.
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { formatCount } from "./format-numbers.ts";
import { describeMachine } from "./machine.ts";
import { HELP, type Options, readOptions } from "./options.ts";
import { planOf, type Task } from "./plan.ts";
import { createProgress } from "./progress.ts";
import { isDone, resultsOf, violationsOf } from "./results.ts";
import { runTasks } from "./run-tasks.ts";
import { readSavedRun, type SavedRun, savedRunPath, writeSavedRun } from "./saved-run.ts";
import { markdownTable, plainTable } from "./table.ts";
import { tiers as known } from "./tiers.ts";

const SHOWN_VIOLATIONS = 20;

const options = readOptions(process.argv.slice(2), known, availableParallelism());
if (typeof options === "string") {
  console.error(options);
  process.exitCode = 2;
} else if (options.action === "help") console.log(HELP);
else if (options.action === "list") list();
else process.exitCode = await prove(options);

function list(): void {
  for (const { id, cases, quick, title } of known) {
    console.log(`${id}  ${title} (${formatCount(cases)} cases; ${formatCount(quick)} in npm test)`);
  }
}

/** Returns the exit code. */
async function prove(options: Options): Promise<number> {
  const path = options.only === null ? (options.resume ?? savedRunPath(options)) : null;
  const saved = openRun(path, options);
  if (typeof saved === "string") {
    console.error(saved);
    return 2;
  }
  const plan = planOf({ ...options, ...saved });
  const todo = plan.filter((task) => !isDone(saved, task));
  const doneCount = plan.length - todo.length;
  if (doneCount > 0) console.log(`${formatCount(doneCount)} of ${formatCount(plan.length)} slices are already done.`);

  const doneBefore = resultsOf(saved, plan);
  const progress = createProgress(
    process.stdout,
    todo,
    (tier) => doneBefore.find(({ id }) => id === tier.id)?.cases ?? 0,
  );
  const save = () => path !== null && writeSavedRun(path, saved);
  const finished = await runTasks(todo, saved, { processes: options.processes, progress, save });
  progress.stop();
  if (finished) return printResults(saved, plan, options);
  console.log(
    `Interrupted.${path === null ? "" : ` The same command continues from here; the results are in ${path}.`}`,
  );
  return 130;
}

/** Opens the saved run, or a new one. A finished run starts again unless the user named its file. */
function openRun(path: string | null, options: Options): SavedRun | string {
  const { share, seed, part, resume, fresh, tiers } = options;
  const newRun: SavedRun = { share, seed, part, slices: [] };
  if (path === null || fresh) return newRun;
  try {
    const saved = readSavedRun(path);
    if (saved === null) return resume === null ? newRun : `There is no saved run ${resume}.`;
    if (resume !== null || planOf({ ...options, ...saved }).some((task) => !isDone(saved, task))) return saved;
    return { ...saved, slices: saved.slices.filter((done) => !tiers.some(({ id }) => id === done.tier)) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function printResults(saved: SavedRun, plan: readonly Task[], { json, markdown }: Options): number {
  const results = resultsOf(saved, plan);
  const violations = violationsOf(saved, plan);
  const header = { date: new Date().toISOString().slice(0, 10), machine: describeMachine() };
  for (const { tier, case: number, why, again } of violations.slice(0, SHOWN_VIOLATIONS)) {
    console.log(`${tier}, case ${number}: ${why}\n  again: ${again}\n`);
  }
  if (violations.length > SHOWN_VIOLATIONS) console.log(`… and ${violations.length - SHOWN_VIOLATIONS} more.\n`);
  console.log(markdown ? markdownTable(results, header) : plainTable(results));
  if (json !== null) {
    const { share, seed, part } = saved;
    writeFileSync(json, `${JSON.stringify({ ...header, share, seed, part, tiers: results, violations }, null, 2)}\n`);
  }
  return results.some((result) => result.violations > 0) ? 1 : 0;
}
