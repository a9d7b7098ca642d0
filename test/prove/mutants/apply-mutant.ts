import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Edit, Mutant } from "./mutant.ts";

/** Runs `work` while the workspace under `root` holds the mutant, and restores the workspace afterwards. */
export async function withMutant<Result>(
  root: string,
  { edits }: Pick<Mutant, "edits">,
  work: () => Promise<Result>,
): Promise<Result> {
  const files = [...new Set(edits.map(({ file }) => file))];
  const sources = new Map<string, string>();
  for (const file of files) sources.set(file, await readFile(join(root, file), "utf8"));
  try {
    for (const file of files) {
      await writeFile(join(root, file), mutate(file, sources.get(file) ?? "", edits));
    }
    return await work();
  } finally {
    for (const [file, source] of sources) await writeFile(join(root, file), source);
  }
}

/** The source of a file with those of the edits that are of this file. */
export function mutate(file: string, source: string, edits: readonly Edit[]): string {
  return edits.filter((edit) => edit.file === file).reduce(replaceOnce, source);
}

function replaceOnce(source: string, { file, find, replace }: Edit): string {
  const [position, ...more] = findOccurrences(source, find);
  if (position === undefined || more.length > 0) throw new Error(`This must be in ${file} exactly once: ${find}`);
  return `${source.slice(0, position.start)}${replace}${source.slice(position.end)}`;
}

/** Finds the positions of a text in a source, whatever the formatter's line breaks. */
export function findOccurrences(
  source: string,
  find: string,
): readonly { readonly start: number; readonly end: number }[] {
  const words = find.trim().split(/\s+/).map(patternOf);
  return [...source.matchAll(new RegExp(words.join("\\s+"), "g"))].map(({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
  }));
}

// A list that is broken over lines has space inside its parentheses and a comma after its last item.
function patternOf(word: string): string {
  return word
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("\\(", "\\(\\s*")
    .replaceAll("\\)", "(?:,?\\s*)\\)");
}
