import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { repository, runCommand } from "./command.ts";

export type PackedManifest = {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: object;
  readonly sideEffects?: unknown;
  readonly engines?: object;
};

/** A package as npm would get it. */
export type PackedPackage = {
  readonly manifest: PackedManifest;
  readonly tarball: string;
  readonly files: readonly string[];
};

/** The names of all public packages in the folder packages. */
export function publicPackages(): readonly string[] {
  const folders = readdirSync(join(repository, "packages"));
  const manifests = folders.map((folder) =>
    JSON.parse(readFileSync(join(repository, "packages", folder, "package.json"), "utf8")),
  );
  return manifests.filter((manifest) => !manifest.private).map((manifest) => manifest.name);
}

/** The packages that were packed into `folder`, by name. */
export async function readTarballs(folder: string): Promise<ReadonlyMap<string, PackedPackage>> {
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const packed = await Promise.all(tarballs.map((name) => readTarball(join(folder, name))));
  return new Map(packed.map((found) => [found.manifest.name, found]));
}

/** The text of one file of a tarball. */
export function readPacked({ tarball }: PackedPackage, file: string): Promise<string> {
  return runCommand("tar", ["-xzOf", tarball, `package/${file}`], repository);
}

async function readTarball(tarball: string): Promise<PackedPackage> {
  const listing = await runCommand("tar", ["-tzf", tarball], repository);
  const manifest = JSON.parse(await runCommand("tar", ["-xzOf", tarball, "package/package.json"], repository));
  const files = listing.split("\n").filter((line) => line !== "");
  return { manifest, tarball, files: files.map((file) => file.replace("package/", "")) };
}
