import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, npm } from "./npm.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(repository, "examples", "medusa-store", "store");

/** The folder with the installed store, its database, the sandbox's data and the keys. */
export const workFolder: string = join(repository, ".tillkit", "medusa-store");

export type ReportProgress = (line: string) => void;

/**
 * Installs the store, Medusa and the packed plugin. Medusa is installed again when its lockfile changed, the plugin when
 * the sources of its packages changed. Medusa loads modules with `require` from real folders only, so it would not find a
 * plugin that is linked from the workspace.
 * @param otherVersion a version of Medusa in place of the store's own; it gets a folder of its own
 * @returns the folder of the store
 */
export async function installStore(reportProgress: ReportProgress, otherVersion?: string): Promise<string> {
  const name = otherVersion === undefined ? "server" : `server-${otherVersion}`;
  const store = join(workFolder, name);
  const installedStamp = join(workFolder, otherVersion === undefined ? "installed.stamp" : `${name}-installed.stamp`);
  await mkdir(store, { recursive: true });
  await cp(source, store, { recursive: true });
  if (otherVersion !== undefined) await changeVersion(store, otherVersion);
  const manifest = join(store, otherVersion === undefined ? "package-lock.json" : "package.json");
  await runIfChanged(join(workFolder, `${name}.stamp`), await digestOf([manifest]), async () => {
    const version = otherVersion === undefined ? "" : ` ${otherVersion}`;
    reportProgress(`Installing Medusa${version} (only the first time: about 680 MB, two minutes)`);
    await rm(installedStamp, { force: true });
    // Not `npm ci`: a lockfile written on one platform may lack the optional packages of others.
    await npm(["install", "--no-save"], store);
  });
  const packages = await packagesNeededBy("medusa");
  // One stamp for all of them: the declarations of our packages are built together.
  await runIfChanged(
    join(workFolder, "packed.stamp"),
    await digestOf(packages.map((name) => join(repository, "packages", name))),
    async () => {
      reportProgress("Building and packing the plugin");
      await build(packages);
      for (const name of packages) await pack(name);
    },
  );
  const tarballs = await Promise.all(packages.map(tarballOf));
  await runIfChanged(installedStamp, await digestOf(tarballs), async () => {
    reportProgress("Installing the packed plugin into the store");
    await npm(["install", "--no-save", ...tarballs], store);
  });
  return store;
}

/** Medusa's packages name each other's exact version, so the four that the store names fix all of them. */
async function changeVersion(store: string, version: string): Promise<void> {
  const file = join(store, "package.json");
  const manifest = JSON.parse(await readFile(file, "utf8"));
  for (const name of Object.keys(manifest.dependencies)) manifest.dependencies[name] = version;
  // Medusa's server starter depends on this version of zod, beside the plugin's own version.
  manifest.dependencies.zod = "4.2.0";
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(join(store, "package-lock.json"), { force: true });
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
  await command("node", [".setup/run.mjs", "everything", "packaging/build.ts", ...packages], repository);
}

/** Packs a built package as it is published. */
async function pack(name: string): Promise<void> {
  const folder = join(workFolder, "tarballs", name);
  await rm(folder, { recursive: true, force: true });
  const pnpm = [".setup/pnpm.mjs", "--filter", `@tillkit/${name}`];
  await command("node", [...pnpm, "pack", "--pack-destination", folder], repository);
}

async function tarballOf(name: string): Promise<string> {
  const folder = join(workFolder, "tarballs", name);
  const [tarball = ""] = await readdir(folder);
  return join(folder, tarball);
}

/** Does the work unless the file `stamp` contains this digest already. */
async function runIfChanged(stamp: string, digest: string, work: () => Promise<void>): Promise<void> {
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return;
  await rm(stamp, { force: true });
  await work();
  await writeFile(stamp, digest);
}

/** The digest of files, and of all sources in folders. */
async function digestOf(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  const add = async (path: string): Promise<void> => {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
    if (entries === null) {
      hash.update(path).update(await readFile(path));
      return;
    }
    const sources = entries.filter(({ name }) => !/^(node_modules|dist|test|\..*|.*\.(md|png))$/.test(name));
    for (const { name } of sources.sort((left, right) => (left.name < right.name ? -1 : 1)))
      await add(join(path, name));
  };
  for (const path of paths) await add(path);
  return hash.digest("hex");
}
