import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { withMutant } from "./apply-mutant.ts";
import type { Ground, Hunt, Place } from "./hunt.ts";
import type { Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
/** Beyond this a mutant has made something run for ever. */
const LONGEST_MS = 600_000;
/** A case that is run alone prints its whole history. */
const LONGEST_HISTORY = 64_000_000;

export const PLACES = new URL("places.json", import.meta.url);

/**
 * Hunts a mutant with the tiers, in a process of its own: first where it was noticed the last time, then, because a change
 * of the tiers moves such places, everywhere.
 */
export async function huntMutant(tree: MutatedTree, mutant: Mutant, patienceMs: number = PATIENCE_MS): Promise<Hunt> {
  const place = readLastDetections()[mutant.id] ?? null;
  return await withMutant(tree.root, mutant, () => hunt(tree, place, patienceMs, groundOf(mutant)));
}

/** Whether the case of that place breaks a promise without any mutant: then it notices none. */
export async function breaksAnyway(tree: MutatedTree, place: Place): Promise<boolean> {
  return (await hunt(tree, place, 0, "engine")).at !== null;
}

async function hunt(tree: MutatedTree, place: Place | null, patienceMs: number, ground: Ground): Promise<Hunt> {
  const program = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/hunt.ts"];
  const options = { cwd: tree.root, timeout: LONGEST_MS, maxBuffer: LONGEST_HISTORY };
  const words = [...program, JSON.stringify(place), String(patienceMs), ground];
  const { stdout } = await run(process.execPath, words, options);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Hunt;
}

/** By mutant. */
export function readLastDetections(): Record<string, Place> {
  return JSON.parse(readFileSync(PLACES, "utf8")) as Record<string, Place>;
}

function groundOf({ edits }: Mutant): Ground {
  return edits.every(({ file }) => /^packages\/(?:ledger|sql)\//.test(file)) ? "ledger" : "engine";
}
