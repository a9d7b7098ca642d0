import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** The fields of a package.json that the rules read. */
export type Manifest = {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly "@tillkit/source"?: string }>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

/** The text files of a repository by path, with `/` between folders. A test can make up a workspace. */
export type Workspace = ReadonlyMap<string, string>;

const ignoredFolders = new Set([
  ".git",
  "node_modules",
  "dist",
  ".medusa",
  "coverage",
  "test-results",
  ".tillkit",
  "release",
]);
const binaryFiles = /\.(png|jpg|webp|ico|woff2|db|sqlite)$/;

export function readWorkspace(): Workspace {
  const texts = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
      if (ignoredFolders.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() && !binaryFiles.test(path)) texts.set(path, readFileSync(join(repository, path), "utf8"));
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
