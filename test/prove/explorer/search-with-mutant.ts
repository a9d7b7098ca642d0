import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Mutant } from "../mutants/mutant.ts";
import { bundleMutant } from "./bundle-mutant.ts";
import type { SearchRequest, SearchResult } from "./search-schedules.ts";

const MAX_OUTPUT_BYTES = 64_000_000;

/** Searches in a process of its own, with the mutant in its code or, if null, without one. One result per scenario and bound. */
export async function searchWithMutant(
  mutant: Pick<Mutant, "edits"> | null,
  request: SearchRequest,
): Promise<readonly SearchResult[]> {
  const { file, remove } = await bundleMutant(mutant);
  try {
    const options = { maxBuffer: MAX_OUTPUT_BYTES };
    const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(request)], options);
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as SearchResult]));
  } finally {
    await remove();
  }
}
