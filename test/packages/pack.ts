import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../", import.meta.url));

export type PackedManifest = {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};

/** A package as npm would get it. */
export type Packed = { readonly manifest: PackedManifest; readonly tarball: string; readonly files: readonly string[] };

/** The names of all public packages in the folder packages. */
export async function publicPackages(): Promise<readonly string[]> {
  const folders = await readdir(join(repository, "packages"));
  const manifests = await Promise.all(
    folders.map(async (folder) =>
      JSON.parse(await readFile(join(repository, "packages", folder, "package.json"), "utf8")),
    ),
  );
  return manifests.filter((manifest) => !manifest.private).map((manifest) => manifest.name);
}

/** Builds every package and packs it into `folder`. */
export async function packAll(folder: string): Promise<ReadonlyMap<string, Packed>> {
  await command("node", [".setup/pnpm.mjs", "--recursive", "--filter", "./packages/*", "run", "build"], repository);
  await command(
    "node",
    [".setup/pnpm.mjs", "--recursive", "--filter", "./packages/*", "pack", "--pack-destination", folder],
    repository,
  );
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const packed = await Promise.all(tarballs.map((name) => readTarball(join(folder, name))));
  return new Map(packed.map((one) => [one.manifest.name, one]));
}

async function readTarball(tarball: string): Promise<Packed> {
  const listing = await command("tar", ["-tzf", tarball], repository);
  const manifest = JSON.parse(await command("tar", ["-xzOf", tarball, "package/package.json"], repository));
  const files = listing.split("\n").filter((line) => line !== "");
  return { manifest, tarball, files: files.map((file) => file.replace("package/", "")) };
}

/** Runs a program and returns its output. @throws Error with all its output if the program fails */
export async function command(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await run(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}
