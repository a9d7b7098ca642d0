import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { bundleProgram, type Program } from "../../programs/bundle-program.ts";
import { mutate } from "../mutants/apply-mutant.ts";
import type { Mutant } from "../mutants/mutant.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = new URL("search-schedules.ts", import.meta.url);

/** The program that searches schedules, with the mutant in what it bundles. The sources stay as they are. */
export async function bundleMutant(mutant: Pick<Mutant, "edits"> | null): Promise<Program> {
  return await bundleProgram(PROGRAM, mutant === null ? [] : [mutating(mutant)]);
}

function mutating({ edits }: Pick<Mutant, "edits">): Plugin {
  return {
    name: "mutating",
    setup(builder) {
      builder.onLoad({ filter: /\/packages\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
        const file = relative(ROOT, path);
        if (!edits.some((edit) => edit.file === file)) return null;
        return { contents: mutate(file, await readFile(path, "utf8"), edits), loader: "ts" };
      });
    },
  };
}
