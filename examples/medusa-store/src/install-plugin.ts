import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm, runProgram } from "./npm.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

export type ReportProgress = (line: string) => void;

/** `store`: the folder of a server with its own node_modules. `workFolder`: the folder of the tarballs and of the digests of their sources. */
export type PackedPlugin = {
  readonly plugin: "medusa" | "vendure";
  readonly store: string;
  readonly workFolder: string;
  readonly installedStamp: string;
  readonly reportProgress: ReportProgress;
};

/** Packs a plugin with our packages that it needs, as they are published, and installs the tarballs into a store when they changed. */
export async function installPackedPlugin({
  plugin,
  store,
  workFolder,
  installedStamp,
  reportProgress,
}: PackedPlugin): Promise<void> {
  const packages = await packagesNeededBy(plugin);
  const folder = join(workFolder, "tarballs");
  // All packages share one stamp, because their declarations are built together.
  await runIfChanged(
    join(workFolder, "tarballs.stamp"),
    await digestOf(packages.map((name) => join(repository, "packages", name))),
    async () => {
      reportProgress("Building and packing the plugin");
      await build(packages);
      await pack(packages, folder);
    },
  );
  const tarballs = (await readdir(folder)).sort().map((name) => join(folder, name));
  await runIfChanged(installedStamp, await digestOf(tarballs), async () => {
    reportProgress("Installing the packed plugin into the store");
    await npm(["install", "--no-save", ...tarballs], store);
  });
}

/** A package and all our packages that it depends on, dependencies first. */
async function packagesNeededBy(target: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (name: string): Promise<void> => {
    const manifest = await readFile(join(repository, "packages", name, "package.json"), "utf8");
    const { dependencies = {} } = JSON.parse(manifest);
    const ours = Object.keys(dependencies).filter((dependency) => dependency.startsWith("@tillkit/"));
    for (const dependency of ours) await add(dependency.replace("@tillkit/", ""));
    found.add(name);
  };
  await add(target);
  return [...found];
}

async function build(packages: readonly string[]): Promise<void> {
  const program = [".setup/run.mjs", "everything", "packaging/build.ts", "--if-changed", ...packages];
  await runProgram("node", program, repository);
}

/** Packs built packages as they are published. */
async function pack(packages: readonly string[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const filters = packages.flatMap((name) => ["--filter", `@tillkit/${name}`]);
  const pnpm = [".setup/pnpm.mjs", "--recursive", ...filters, "pack", "--pack-destination", folder];
  await runProgram("node", pnpm, repository);
}

/** Does the work unless the file `stamp` contains this digest already. */
export async function runIfChanged(stamp: string, digest: string, work: () => Promise<void>): Promise<void> {
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return;
  await rm(stamp, { force: true });
  await work();
  await writeFile(stamp, digest);
}

/** Folders and files that do not change what a package does. */
const NOT_A_SOURCE = /^(node_modules|dist|test|\..*|.*\.(md|png))$/;

/** The digest of files, and of all sources in folders. */
export async function digestOf(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
    if (entries === null) {
      hash.update(path).update(await readFile(path));
      return;
    }
    const sources = entries.filter(({ name }) => !NOT_A_SOURCE.test(name));
    for (const { name } of sources.sort((left, right) => (left.name < right.name ? -1 : 1)))
      await add(join(path, name));
  };
  for (const path of paths) await add(path);
  return hash.digest("hex");
}
