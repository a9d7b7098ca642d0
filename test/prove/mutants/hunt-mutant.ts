import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { withMutant } from "./apply-mutant.ts";
import type { Detection, Hunt, MutatedPart } from "./hunt.ts";
import type { Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";

const run = promisify(execFile);
const HUNT_MS = 60_000;
/** After this time the mutant has made something run forever. */
const TIMEOUT_MS = 600_000;
/** A case that runs alone prints its whole history. */
const MAX_HISTORY_BYTES = 64_000_000;

export const PLACES = new URL("places.json", import.meta.url);

/**
 * Hunts a mutant with the tiers in a separate process. The case that noticed it last time runs first. A change of the
 * tiers can change that case, so all other cases follow.
 */
export async function huntMutant(tree: MutatedTree, mutant: Mutant, huntMs: number = HUNT_MS): Promise<Hunt> {
  const last = readLastDetections()[mutant.id] ?? null;
  return await withMutant(tree.root, mutant, () => hunt(tree, last, huntMs, partOf(mutant)));
}

/** Returns whether the case violates an invariant without any mutant. Such a case notices no mutant. */
export async function violatesWithoutMutant(tree: MutatedTree, detection: Detection): Promise<boolean> {
  return (await hunt(tree, detection, 0, "engine")).at !== null;
}

async function hunt(tree: MutatedTree, last: Detection | null, huntMs: number, part: MutatedPart): Promise<Hunt> {
  const program = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/hunt.ts"];
  const options = { cwd: tree.root, timeout: TIMEOUT_MS, maxBuffer: MAX_HISTORY_BYTES };
  const parameters = [...program, JSON.stringify(last), String(huntMs), part];
  const { stdout } = await run(process.execPath, parameters, options);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Hunt;
}

/** Returns the case that last noticed each mutant, by mutant id. */
export function readLastDetections(): Record<string, Detection> {
  return JSON.parse(readFileSync(PLACES, "utf8")) as Record<string, Detection>;
}

function partOf({ edits }: Mutant): MutatedPart {
  return edits.every(({ file }) => /^packages\/(?:ledger|sql)\//.test(file)) ? "ledger" : "engine";
}
