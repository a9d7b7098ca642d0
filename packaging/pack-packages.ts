import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { olderResolverFields } from "./older-resolvers.ts";
import { publicPackages, repository } from "./packages.ts";
import { publishedReadme } from "./published-readme.ts";
import { repositoryUrl } from "./repository-url.ts";
import { runNpm, runProgram } from "./run-program.ts";

/**
 * Packs every built package into `folder` as npm gets it. pnpm writes the manifest: versions instead of `workspace:` and
 * `catalog:`, entries without sources. Then the manifest gets its entries for older resolvers, and README and manifest the URL of the
 * repository.
 * @returns `@tillkit/core` → `tillkit-core-0.1.0-3f2a91bc.tgz`, whose last part changes with the content
 */
export async function packPackages(folder: string): Promise<ReadonlyMap<string, string>> {
  const work = await mkdtemp(join(tmpdir(), "tillkit-pack-"));
  try {
    const pnpm = [".setup/pnpm.mjs", "--recursive", "--filter", "./packages/*", "pack", "--pack-destination", work];
    await runProgram(process.execPath, pnpm, repository);
    const packages = publicPackages().map(({ name, manifest }) => ({
      name,
      packageName: manifest.name,
      file: `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`,
      unpacked: join(work, name),
    }));
    for (const { name, file, unpacked } of packages) {
      await mkdir(unpacked);
      await runProgram("tar", ["-xzf", join(work, file), "-C", unpacked, "--strip-components", "1"], work);
      await completeReadme(unpacked, `packages/${name}`);
      await completeManifest(unpacked, `packages/${name}`);
    }
    const folders = packages.map(({ unpacked }) => unpacked);
    await runNpm(["pack", ...folders, "--ignore-scripts", "--pack-destination", folder], work);
    const named = packages.map(
      async ({ packageName, file }) => [packageName, await nameByContent(folder, file)] as const,
    );
    return new Map(await Promise.all(named));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

// If two contents had the same file name, a lockfile with the digest of the first would refuse the second.
async function nameByContent(folder: string, file: string): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(join(folder, file)))
    .digest("hex");
  const name = file.replace(/\.tgz$/, `-${digest.slice(0, 8)}.tgz`);
  await rename(join(folder, file), join(folder, name));
  return name;
}

async function completeReadme(unpacked: string, directory: string): Promise<void> {
  const readme = join(unpacked, "README.md");
  if (!existsSync(readme)) throw new Error(`${directory} has no README.md: npm would show an empty page.`);
  await writeFile(readme, publishedReadme(await readFile(readme, "utf8"), repositoryUrl(), directory));
}

async function completeManifest(unpacked: string, directory: string): Promise<void> {
  const file = join(unpacked, "package.json");
  const manifest: { readonly exports?: Readonly<Record<string, unknown>> } = JSON.parse(await readFile(file, "utf8"));
  const published = { ...manifest, ...olderResolverFields(manifest.exports), ...repositoryFields(directory) };
  await writeFile(file, `${JSON.stringify(published, null, 2)}\n`);
}

function repositoryFields(directory: string): object {
  const url = repositoryUrl();
  if (url === null) return {};
  return {
    homepage: `${url}/tree/HEAD/${directory}#readme`,
    bugs: `${url}/issues`,
    repository: { type: "git", url: `git+${url}.git`, directory },
  };
}
