import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, npm } from "./npm.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
const source = join(repository, "examples", "medusa-store", "store");

/** Where everything is put that a running store needs and keeps. */
export const home: string = join(repository, ".tillkit", "medusa-store");

export type Say = (line: string) => void;

/**
 * Puts the store, Medusa and our packed plugin where they can run, unless they are there: Medusa stays while its
 * lockfile is the same, the plugin while the sources of our packages are. Medusa takes its modules with `require` from
 * real folders only, so a plugin that is linked from the workspace would not be found.
 * @returns the folder of the store
 */
export async function installStore(say: Say): Promise<string> {
  const store = join(home, "server");
  await mkdir(store, { recursive: true });
  await cp(source, store, { recursive: true });
  await whenChanged(join(home, "server.stamp"), await digestOf([join(source, "package-lock.json")]), async () => {
    say("Installing Medusa (only the first time: about 680 MB, two minutes)");
    await rm(join(home, "installed.stamp"), { force: true });
    // Not `ci`: a lockfile written on one platform may lack what others install beside it.
    await npm(["install", "--no-save"], store);
  });
  const packages = await packagesBehind("medusa");
  for (const one of packages) {
    await whenChanged(
      join(home, `packed-${one}.stamp`),
      await digestOf([join(repository, "packages", one)]),
      async () => {
        say(`Building and packing @tillkit/${one}`);
        await pack(one);
      },
    );
  }
  const tarballs = await Promise.all(packages.map(tarballOf));
  await whenChanged(join(home, "installed.stamp"), await digestOf(tarballs), async () => {
    say("Installing the packed plugin into the store");
    await npm(["install", "--no-save", ...tarballs], store);
  });
  return store;
}

/** A package and all our packages that it needs to run, each after those it needs. */
async function packagesBehind(name: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (one: string): Promise<void> => {
    const { dependencies = {} } = JSON.parse(await readFile(join(repository, "packages", one, "package.json"), "utf8"));
    const ours = Object.keys(dependencies).filter((dependency) => dependency.startsWith("@tillkit/"));
    for (const dependency of ours) await add(dependency.replace("@tillkit/", ""));
    found.add(one);
  };
  await add(name);
  return [...found];
}

/** What npm would get. */
async function pack(name: string): Promise<void> {
  const folder = join(home, "tarballs", name);
  await rm(folder, { recursive: true, force: true });
  const pnpm = [".setup/pnpm.mjs", "--filter", `@tillkit/${name}`];
  await command("node", [...pnpm, "run", "build"], repository);
  await command("node", [...pnpm, "pack", "--pack-destination", folder], repository);
}

async function tarballOf(name: string): Promise<string> {
  const folder = join(home, "tarballs", name);
  const [tarball = ""] = await readdir(folder);
  return join(folder, tarball);
}

async function whenChanged(stamp: string, digest: string, work: () => Promise<void>): Promise<void> {
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return;
  await rm(stamp, { force: true });
  await work();
  await writeFile(stamp, digest);
}

/** Of files, and of all sources in folders. */
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
