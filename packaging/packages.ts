import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = fileURLToPath(new URL("../", import.meta.url));

/** The fields of a package.json that building and packing read. */
type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source": string }>>;
};

/** A package in the folder `packages`. `name` is its folder, such as `core`; `folder` is the folder's whole path. */
export type Package = { readonly name: string; readonly folder: string; readonly manifest: Manifest };

/**
 * The packages that are published.
 * @param names folders such as `core`; all packages when it is empty
 * @throws Error that lists the packages, when a name is not one of them
 */
export function publicPackages(names: readonly string[] = []): readonly Package[] {
  const all = readdirSync(join(repository, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }): Package => {
      const folder = join(repository, "packages", name);
      return { name, folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
    })
    .filter(({ manifest }) => manifest.private !== true);
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no package "${unknown}": choose from ${known.join(", ")}.`);
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/** `index` → the path of `src/index.ts`, for every public entry of a package. */
export function entriesOf({ folder, manifest }: Package): ReadonlyMap<string, string> {
  const sources = Object.values(manifest.exports ?? {}).map((target) => target["@tillkit/source"]);
  return new Map(sources.map((source) => [source.replace(/^\.\/src\/|\.ts$/g, ""), join(folder, source)]));
}

/** The packages, sorted so that each comes after the packages that it needs. */
export function inOrderOfNeed(packages: readonly Package[]): readonly Package[] {
  const ordered = new Set<Package>();
  const add = (one: Package): void => {
    const needs = Object.keys(one.manifest.dependencies ?? {});
    for (const other of packages) if (needs.includes(other.manifest.name) && !ordered.has(other)) add(other);
    ordered.add(one);
  };
  for (const one of packages) add(one);
  return [...ordered];
}
