import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../temporary-folder.ts";

/** A copy of the workspace that holds one mutant at a time. Libraries are linked, not copied. */
export type MutatedTree = { readonly root: string; remove(): Promise<void> };

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = [
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "test/prove",
  "test/programs",
  "test/postgres",
  "test/waiting",
];
/** The files and folders of a package that its source and tests need. */
const COPIED_OF_PACKAGES = [
  "src",
  "test",
  "package.json",
  "node_modules",
  "vectors",
  "php",
  "zip",
  "wordpress-plugin",
  "module",
];

export async function copyWorkspace(): Promise<MutatedTree> {
  const { path: root, remove } = await makeFolder("mutants");
  await Promise.all([...COPIED.map((path) => copy(root, path)), copyPackages(root), linkLibraries(root)]);
  return { root, remove };
}

async function copy(root: string, path: string): Promise<void> {
  // Links between packages are relative, so that verbatim copies of the links lead to the copied packages.
  await cp(join(ROOT, path), join(root, path), { recursive: true, verbatimSymlinks: true });
}

async function copyPackages(root: string): Promise<void> {
  for (const name of await readdir(join(ROOT, "packages"))) {
    const entries = await readdir(join(ROOT, "packages", name));
    const wanted = entries.filter((entry) => COPIED_OF_PACKAGES.includes(entry));
    await Promise.all(wanted.map((entry) => copy(root, join("packages", name, entry))));
  }
}

async function linkLibraries(root: string): Promise<void> {
  await mkdir(join(root, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    // These caches belong to the workspace in which the tools ran.
    if (name === ".vite" || name === ".vitest") continue;
    if (name === "@tillkit") await copy(root, join("node_modules", name));
    else await symlink(join(ROOT, "node_modules", name), join(root, "node_modules", name));
  }
}
