import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./folders.ts";

/** A published package: the name of its folder, the name and description in its manifest, and its public entries. */
export type Package = {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
};

/** One public entry, such as `@tillkit/client/webhooks`, and the path of its source file. */
export type Entry = { readonly specifier: string; readonly source: string };

type Manifest = {
  readonly name: string;
  readonly description: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source"?: string }>>;
};

/** All published packages, sorted by folder. */
export function readPackages(): readonly Package[] {
  return readdirSync(join(repository, "packages")).flatMap((folder) => {
    const file = join(repository, "packages", folder, "package.json");
    if (!existsSync(file)) return [];
    const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"));
    if (manifest.private) return [];
    return [{ folder, name: manifest.name, description: manifest.description, entries: entriesOf(folder, manifest) }];
  });
}

function entriesOf(folder: string, { name, exports = {} }: Manifest): readonly Entry[] {
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const source = target["@tillkit/source"];
    if (source === undefined) return [];
    return [{ specifier: name + subpath.slice(1), source: join(repository, "packages", folder, source) }];
  });
}
