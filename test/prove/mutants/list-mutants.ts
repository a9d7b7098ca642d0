// Prints every mutant as a table: what the merchant loses, where the safety was taken out, and what notices it.
//   node --import tsx --conditions=@tillkit/source test/prove/mutants/list-mutants.ts
import { allMutants } from "./all-mutants.ts";
import { readLastDetections } from "./hunt-mutant.ts";
import { isForTiers, type Mutant } from "./mutant.ts";

const places = readLastDetections();
const lines = allMutants.map(({ id, breaks, ...mutant }) => {
  return `| ${id} | ${breaks} | ${whereOf(mutant.edits)} | ${noticedBy({ id, breaks, ...mutant })} |`;
});
process.stdout.write(
  `${["| mutant | what is lost | where | noticed by |", "|---|---|---|---|", ...lines].join("\n")}\n`,
);

function whereOf(edits: Mutant["edits"]): string {
  return [...new Set(edits.map(({ file }) => file.replace(/^packages\//, "").replace("/src/", "/")))].join(", ");
}

function noticedBy(mutant: Mutant): string {
  const place = places[mutant.id];
  if (isForTiers(mutant) && place) return `${place.tier}, case ${place.case}`;
  const { noticedBy: test } = mutant;
  return test
    ? `a unit test alone: "${test.title}" in ${test.file.replace(/^packages\//, "")}`
    : "a tier, not remembered";
}
