// Runs the mutants of the engine through the search of schedules, or those with the ids that are given, and stores in reached.json what became
// of each: noticed, where; or how many searches counted other states than without it. A mutant that changes no count was never reached.
// `a+b` takes away two safeties at once. --few searches p0f0, p1f0 and p0f1 of a few scenarios only, which takes seconds for each mutant instead of a minute.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allMutants } from "../mutants/all-mutants.ts";
import { isOutsideCore, type Mutant } from "../mutants/mutant.ts";
import type { SearchRequest, SearchResult } from "./search-schedules.ts";
import { searchWithMutant } from "./search-with-mutant.ts";

/** `noticed`: scenario, bound and schedule that violate an invariant. `changed`: the searches that counted other states. */
export type Reached = {
  readonly noticed: string | null;
  readonly invariant: string | null;
  readonly changed: number;
  readonly searches: number;
};

const FILE = new URL("reached.json", import.meta.url);
/** One scenario for each kind of meeting. */
const FEW = [
  "webhook-and-return/read-then-write",
  "webhook-and-return/write-only",
  "success-and-owner-cancels/read-then-write",
  "success-and-owner-refunds/read-then-write",
  "two-starts/read-then-write",
  "success-and-lost-dispute/read-then-write",
  "accept-and-signal/read-then-write",
];
const { values, positionals: ids } = parseArgs({
  options: { few: { type: "boolean" } },
  allowPositionals: true,
});
const REQUEST: SearchRequest = {
  bounds: [
    { preemptions: 0, faults: 0 },
    { preemptions: 1, faults: 0 },
    { preemptions: 0, faults: 1 },
  ],
  only: values.few ? FEW : [],
  maxMs: Number.MAX_SAFE_INTEGER,
  maxFound: 1,
  stopsAtFirst: true,
};

const ofEngine = allMutants.filter((mutant) => !isOutsideCore(mutant));
const chosen = ids.length === 0 ? ofEngine : ids.map(togetherOf);
const unchanged = await searchWithMutant(null, REQUEST);
for (const mutant of chosen) await hunt(mutant);

/** `fence+version`: two mutants at once, to see which safety covers which. */
function togetherOf(id: string): Pick<Mutant, "id" | "edits"> {
  const edits = id.split("+").flatMap((one) => {
    const mutant = ofEngine.find((candidate) => candidate.id === one);
    if (!mutant) throw new Error(`The engine has no mutant ${one}.`);
    return mutant.edits;
  });
  return { id, edits };
}

async function hunt(mutant: Pick<Mutant, "id" | "edits">): Promise<void> {
  const results = await searchWithMutant(mutant, REQUEST);
  const reached = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Reached>;
  reached[mutant.id] = reachedBy(results);
  writeFileSync(FILE, `${JSON.stringify(reached, null, 2)}\n`);
  process.stdout.write(`${mutant.id}: ${JSON.stringify(reached[mutant.id])}\n`);
}

function reachedBy(results: readonly SearchResult[]): Reached {
  const last = results.at(-1);
  const found = last?.found[0];
  const changed = results.filter(({ states, schedules }, index) => {
    const known = unchanged[index];
    return known?.states !== states || known.schedules !== schedules;
  });
  return {
    noticed: last && found ? `${last.scenario} p${last.bound.preemptions}f${last.bound.faults}` : null,
    invariant: found?.violations[0]?.invariant ?? null,
    changed: changed.length,
    searches: results.length,
  };
}
