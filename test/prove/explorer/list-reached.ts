// Prints which mutants of the engine the search of schedules noticed, which it never reached, and what notices those instead.
import { readFileSync } from "node:fs";
import { allMutants } from "../mutants/all-mutants.ts";
import { readLastDetections } from "../mutants/hunt-mutant.ts";
import { isOutsideCore, type Mutant } from "../mutants/mutant.ts";
import type { Reached } from "./hunt-mutants.ts";

const reached = JSON.parse(readFileSync(new URL("reached.json", import.meta.url), "utf8")) as Record<string, Reached>;
const detections = readLastDetections();

const pairs = Object.keys(reached).filter((id) => id.includes("+"));
const ids = [...allMutants.filter((mutant) => !isOutsideCore(mutant)).map(({ id }) => id), ...pairs];
for (const id of ids) {
  const mutant = allMutants.find((candidate) => candidate.id === id);
  process.stdout.write(`${id}\t${describe(reached[id])}\t${elsewhere(id, mutant)}\n`);
}

function describe(found: Reached | undefined): string {
  if (!found) return "not tried";
  if (found.noticed !== null) return `${found.noticed}, ${found.invariant}`;
  return found.changed === 0 ? "never reached" : `reached in ${found.changed} of ${found.searches} searches`;
}

function elsewhere(id: string, mutant: Mutant | undefined): string {
  const detection = detections[id];
  if (detection) return `${detection.tier}, case ${detection.case}`;
  return mutant?.noticedBy ? mutant.noticedBy.file : "";
}
