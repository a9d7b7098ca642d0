import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../folder.ts";
import type { Mutant } from "./mutant.ts";

/** A copy of the workspace in which one mutant at a time lives; what others wrote is linked, not copied. */
export type MutatedTree = {
  readonly root: string;
  /** Runs `work` with the mutant in the copy; afterwards the copy is as it was. */
  withMutant<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
};

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = ["package.json", "tsconfig.json", "test/prove", "packages/sql/test/programs"];

export async function plantTree(): Promise<MutatedTree> {
  const { path: root, remove } = await makeFolder("mutants");
  await Promise.all([...COPIED.map((path) => copy(root, path)), copyPackages(root), linkLibraries(root)]);
  return {
    root,
    async withMutant({ edits }, work) {
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
    },
    remove,
  };
}

function replaceOnce(source: string, { file, find, replace }: Mutant["edits"][number]): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`This must be in ${file} exactly once: ${find}`);
  }
  return `${before}${replace}${after}`;
}

async function copy(root: string, path: string): Promise<void> {
  // Links between packages are relative: as they are, they lead to the copies.
  await cp(join(ROOT, path), join(root, path), { recursive: true, verbatimSymlinks: true });
}

async function copyPackages(root: string): Promise<void> {
  for (const name of await readdir(join(ROOT, "packages"))) {
    const own = await readdir(join(ROOT, "packages", name));
    const wanted = own.filter((entry) => entry === "src" || entry === "package.json" || entry === "node_modules");
    await Promise.all(wanted.map((entry) => copy(root, join("packages", name, entry))));
  }
}

async function linkLibraries(root: string): Promise<void> {
  await mkdir(join(root, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (name === "@tillkit") await copy(root, join("node_modules", name));
    else await symlink(join(ROOT, "node_modules", name), join(root, "node_modules", name));
  }
}
