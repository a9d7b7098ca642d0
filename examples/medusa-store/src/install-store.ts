import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOf, installPackedPlugin, type ReportProgress, runIfChanged } from "./install-plugin.ts";
import { npm } from "./npm.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(repository, "examples", "medusa-store", "store");

/** The folder with the installed store, its database, the sandbox's data and the keys. */
export const workFolder: string = join(repository, ".tillkit", "medusa-store");

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
  await installPackedPlugin({ plugin: "medusa", store, workFolder, installedStamp, reportProgress });
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
