import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Hunt, Place } from "./hunt.ts";
import type { Mutant } from "./mutant.ts";
import type { MutatedTree } from "./mutated-tree.ts";

const run = promisify(execFile);
const PATIENCE_MS = 60_000;
/** Beyond this a mutant has made something run for ever. */
const LONGEST_MS = 600_000;

export const PLACES = new URL("places.json", import.meta.url);

/**
 * Hunts a mutant in a process of its own: first where it was noticed the last time, then, because a change of the tiers moves
 * such places, everywhere.
 */
export async function huntMutant(tree: MutatedTree, mutant: Mutant, patienceMs: number = PATIENCE_MS): Promise<Hunt> {
  const place = JSON.stringify(readPlaces()[mutant.id] ?? null);
  const program = ["--import", "tsx", "--conditions=@tillkit/source", "test/prove/mutants/hunt.ts"];
  return await tree.withMutant(mutant, async () => {
    const options = { cwd: tree.root, timeout: LONGEST_MS };
    const { stdout } = await run(process.execPath, [...program, place, String(patienceMs)], options);
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Hunt;
  });
}

/** By mutant. */
export function readPlaces(): Record<string, Place> {
  return JSON.parse(readFileSync(PLACES, "utf8")) as Record<string, Place>;
}
