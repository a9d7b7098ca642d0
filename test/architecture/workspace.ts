import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The part of a package.json that says who may be imported. */
export type Manifest = {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source"?: string }>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** Every text of the repository by its path, `/` between folders: what the rules look at, on disk or made up in a test. */
export type Workspace = ReadonlyMap<string, string>;

const notOurs = new Set([".git", "node_modules", "dist", ".medusa", "coverage", "test-results", ".tillkit"]);
const notText = /\.(png|jpg|webp|ico|woff2|db|sqlite)$/;

export function readWorkspace(): Workspace {
  const texts = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
      if (notOurs.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && !notText.test(path)) texts.set(path, readFileSync(join(repository, path), "utf8"));
    }
  };
  walk("");
  return texts;
}

/** `packages/core` → its package.json, for every package and example. */
export function manifestsOf(workspace: Workspace): ReadonlyMap<string, Manifest> {
  const manifests = new Map<string, Manifest>();
  for (const [path, text] of workspace) {
    const folder = /^((?:packages|examples)\/[^/]+)\/package\.json$/.exec(path)?.[1];
    if (folder !== undefined) manifests.set(folder, JSON.parse(text));
  }
  return manifests;
}

/** The files of a package that its `exports` name: `src/index.ts`, `src/webhooks.ts`, … */
export function entriesOf(manifest: Manifest): readonly string[] {
  return Object.values(manifest.exports ?? {}).flatMap((target) => target["@tillkit/source"]?.replace("./", "") ?? []);
}
