import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  digestOf,
  installPackedPlugin,
  type ReportProgress,
  runIfChanged,
} from "@tillkit/example-medusa-store/install-plugin";
import { npm } from "@tillkit/example-medusa-store/npm";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(repository, "examples", "vendure-store", "store");

/** The folder with the installed store, its database, the sandbox's data and the keys. */
export const workFolder: string = join(repository, ".tillkit", "vendure-store");

/**
 * Installs the store, Vendure and the packed plugin. Vendure is installed again when its lockfile changed, the plugin when the sources
 * of its packages changed.
 * @returns the folder of the store
 */
export async function installStore(reportProgress: ReportProgress): Promise<string> {
  const store = join(workFolder, "server");
  const installedStamp = join(workFolder, "installed.stamp");
  await mkdir(store, { recursive: true });
  await cp(source, store, { recursive: true });
  await runIfChanged(join(workFolder, "server.stamp"), await digestOf([join(store, "package-lock.json")]), async () => {
    reportProgress("Installing Vendure (only the first time: about 180 MB, half a minute)");
    await rm(installedStamp, { force: true });
    // Not `npm ci`: a lockfile written on one platform may lack the optional packages of others.
    await npm(["install", "--no-save"], store);
  });
  await installPackedPlugin({ plugin: "vendure", store, workFolder, installedStamp, reportProgress });
  return store;
}
