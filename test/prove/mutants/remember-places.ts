// Run this after a change of the tiers or of the mutants. It hunts the given mutants, or all mutants of invariants, and writes
// the case that noticed each mutant to places.json.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/remember-places.ts [--patience SECONDS] [MUTANT …]
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { allMutants } from "./all-mutants.ts";
import type { Detection } from "./hunt.ts";
import { huntMutant, PLACES, readLastDetections, violatesWithoutMutant } from "./hunt-mutant.ts";
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
    const isNew = noticed !== null && !isSameDetection(noticed, readLastDetections()[mutant.id]);
    const at = isNew && (await violatesWithoutMutant(tree, noticed)) ? null : noticed;
    const result = at !== null ? `${at.tier} case ${at.case}: ${why.split("\n")[0]}` : describeSurvival(noticed);
    process.stdout.write(`${mutant.id}, ${cases} cases, ${ms} ms: ${result}\n`);
    const { [mutant.id]: _, ...others } = readLastDetections();
    const detections = at === null ? others : { ...others, [mutant.id]: at };
    const sorted = allMutants.flatMap(({ id }) => (detections[id] ? [[id, detections[id]] as const] : []));
    writeFileSync(PLACES, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
} finally {
  await tree.remove();
}

function isSameDetection(left: Detection, right: Detection | undefined): boolean {
  return left.tier === right?.tier && left.case === right.case;
}

function describeSurvival(noticed: Detection | null): string {
  return noticed === null
    ? "survived"
    : `${noticed.tier} case ${noticed.case} violates an invariant without the mutant too`;
}
