import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Edit, Mutant } from "./mutant.ts";

/** Runs `work` while the workspace under `root` holds the mutant; afterwards the workspace is as it was. */
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
      const own = edits.filter((edit) => edit.file === file);
      const mutated = own.reduce((source, edit) => replaceOnce(source, edit), sources.get(file) ?? "");
      await writeFile(join(root, file), mutated);
    }
    return await work();
  } finally {
    for (const [file, source] of sources) await writeFile(join(root, file), source);
  }
}

function replaceOnce(source: string, { file, find, replace }: Edit): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`This must be in ${file} exactly once: ${find}`);
  }
  return `${before}${replace}${after}`;
}
