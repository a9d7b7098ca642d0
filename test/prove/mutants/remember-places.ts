// For whoever changed the tiers or the mutants: hunts the named mutants, or all, and writes down where each was noticed.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/remember-places.ts [--patience SECONDS] [MUTANT …]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allMutants } from "./all-mutants.ts";
import { huntMutant, PLACES, readPlaces } from "./hunt-mutant.ts";
import { plantTree } from "./mutated-tree.ts";

const { values, positionals } = parseArgs({
  options: { patience: { type: "string", default: "120" } },
  allowPositionals: true,
});
const chosen = allMutants.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const tree = await plantTree();
try {
  for (const mutant of chosen) {
    const { at, why, cases, ms } = await huntMutant(tree, mutant, Number(values.patience) * 1_000);
    const said = at === null ? "survived" : `${at.tier} case ${at.case}: ${why.split("\n")[0]}`;
    process.stdout.write(`${mutant.id}, ${cases} cases, ${ms} ms: ${said}\n`);
    const { [mutant.id]: _, ...others } = readPlaces();
    const places = at === null ? others : { ...others, [mutant.id]: at };
    const sorted = allMutants.flatMap(({ id }) => (places[id] ? [[id, places[id]] as const] : []));
    writeFileSync(PLACES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
} finally {
  await tree.remove();
}
