import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Package, repository } from "./packages.ts";

/** Digests of the sources of the last builds, and of what each package's build made of exactly these. */
type Built = { readonly sources: string; readonly outputs: Readonly<Record<string, string>> };

const STAMP = join(repository, ".tillkit", "built.json");

/** The folders of a package that its build writes. The build of the folder `docs` is not remembered. */
export const OUTPUT_FOLDERS = ["dist", ".medusa"];

/** What a build may read, outside of the packages too: their compilers' settings, the versions of all libraries, and the build itself. */
const SOURCES = ["package.json", "pnpm-lock.yaml", "tsconfig.json", "tsup.config.ts", "packaging", "packages"];
/** What no build reads: outputs, libraries, tests, and the pages of the site. */
const NOT_A_SOURCE = /^(node_modules|dist|docs|test|\..*)$/;
/** Packing adds these to `dist`, anew each time. */
const ADDED_BY_PACKING = /\.zip$/;

/** Every package is made of the sources of others, so all share one digest. */
export function digestOfSources(root: string = repository): string {
  return digestOf(root, SOURCES, NOT_A_SOURCE);
}

/** The packages that were not built of these sources, or whose build is no longer as it was left. */
export function notBuilt(packages: readonly Package[], sources: string, stamp: string = STAMP): readonly Package[] {
  const built = readBuilt(stamp);
  return packages.filter((one) => built.sources !== sources || built.outputs[one.name] !== digestOfOutputs(one));
}

/** @param sources the digest from before the build: what was edited meanwhile may be missing in it */
export function rememberBuilt(packages: readonly Package[], sources: string, stamp: string = STAMP): void {
  const built = readBuilt(stamp);
  const others = built.sources === sources ? built.outputs : {};
  const outputs = Object.fromEntries(packages.map((one) => [one.name, digestOfOutputs(one)]));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ sources, outputs: { ...others, ...outputs } }));
}

function readBuilt(stamp: string): Built {
  try {
    return JSON.parse(readFileSync(stamp, "utf8"));
  } catch {
    return { sources: "", outputs: {} };
  }
}

function digestOfOutputs({ folder }: Package): string {
  return digestOf(folder, OUTPUT_FOLDERS, ADDED_BY_PACKING);
}

/** The digest of the paths and contents of these files in a folder, and of all files below those that are folders. */
function digestOf(folder: string, names: readonly string[], leftOut: RegExp): string {
  const hash = createHash("sha256");
  const add = (name: string): void => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      const inside = readdirSync(path).filter((entry) => !leftOut.test(entry));
      for (const entry of inside.sort()) add(join(name, entry));
    } else if (stats) {
      const content = readFileSync(path);
      hash.update(`${name} ${content.length}\n`).update(content);
    }
  };
  for (const name of names) add(name);
  return hash.digest("hex");
}
