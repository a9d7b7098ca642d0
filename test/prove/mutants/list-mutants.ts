// Prints a table of all mutants: the merchant's loss, the changed files and the test or case that notices the mutant.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/list-mutants.ts
import { allMutants } from "./all-mutants.ts";
import { readLastDetections } from "./hunt-mutant.ts";
import { isForTiers, type Mutant } from "./mutant.ts";

const detections = readLastDetections();
const lines = allMutants.map(({ id, breaks, ...mutant }) => {
  return `| ${id} | ${breaks} | ${filesOf(mutant.edits)} | ${noticedBy({ id, breaks, ...mutant })} |`;
});
process.stdout.write(
  `${["| mutant | the merchant's loss | where | noticed by |", "|---|---|---|---|", ...lines].join("\n")}\n`,
);

function filesOf(edits: Mutant["edits"]): string {
  return [...new Set(edits.map(({ file }) => file.replace(/^packages\//, "").replace("/src/", "/")))].join(", ");
}

function noticedBy(mutant: Mutant): string {
  const detection = detections[mutant.id];
  if (isForTiers(mutant) && detection) return `${detection.tier}, case ${detection.case}`;
  const { noticedBy: test } = mutant;
  return test ? `only a unit test: "${test.title}" in ${test.file.replace(/^packages\//, "")}` : "a tier, not recorded";
}
