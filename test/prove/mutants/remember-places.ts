// For whoever changed the tiers or the mutants: hunts the named mutants, or all that the tiers are for, and writes down where
// each was noticed.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/remember-places.ts [--patience SECONDS] [MUTANT …]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allMutants } from "./all-mutants.ts";
import type { Place } from "./hunt.ts";
import { breaksAnyway, huntMutant, PLACES, readLastDetections } from "./hunt-mutant.ts";
import { isForTiers } from "./mutant.ts";
import { copyWorkspace } from "./mutated-tree.ts";

const { values, positionals } = parseArgs({
  options: { patience: { type: "string", default: "120" } },
  allowPositionals: true,
});
const chosen = allMutants.filter((mutant) =>
  positionals.length === 0 ? isForTiers(mutant) : positionals.includes(mutant.id),
);
const tree = await copyWorkspace();
try {
  for (const mutant of chosen) {
    const { at: noticed, why, cases, ms } = await huntMutant(tree, mutant, Number(values.patience) * 1_000);
    const isNews = noticed !== null && !samePlace(noticed, readLastDetections()[mutant.id]);
    const at = isNews && (await breaksAnyway(tree, noticed)) ? null : noticed;
    const said = at !== null ? `${at.tier} case ${at.case}: ${why.split("\n")[0]}` : survival(noticed);
    process.stdout.write(`${mutant.id}, ${cases} cases, ${ms} ms: ${said}\n`);
    const { [mutant.id]: _, ...others } = readLastDetections();
    const places = at === null ? others : { ...others, [mutant.id]: at };
    const sorted = allMutants.flatMap(({ id }) => (places[id] ? [[id, places[id]] as const] : []));
    writeFileSync(PLACES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
} finally {
  await tree.remove();
}

function samePlace(left: Place, right: Place | undefined): boolean {
  return left.tier === right?.tier && left.case === right.case;
}

function survival(noticed: Place | null): string {
  return noticed === null ? "survived" : `${noticed.tier} case ${noticed.case} breaks a promise without the mutant too`;
}
