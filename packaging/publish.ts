// npm run release [-- --dry-run]: publishes the tarballs of release/ to npm, each at most once; run it again after a failure.
// A workflow on a forge publishes with provenance. Elsewhere npm cannot attest where a package was built, so it is published without.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { inOrderOfNeed, type Package, publicPackages, repository } from "./packages.ts";
import { findObstacles } from "./release-obstacles.ts";
import { runNpm } from "./run-program.ts";

const release = join(repository, "release");
const isDryRun = process.argv.includes("--dry-run");
try {
  const packages = publicPackages();
  const obstacles = findObstacles(packages, process.env, repository);
  for (const obstacle of obstacles) process.stderr.write(`${obstacle}\n`);
  if (obstacles.length > 0 && !isDryRun) throw new Error("Nothing was published.");
  const tarballs = readTarballs();
  // Dependencies come first, so that after a failure every package on npm can be installed.
  for (const one of inOrderOfNeed(packages)) await publish(one, tarballs);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** `@tillkit/core` → the path of its tarball. */
function readTarballs(): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(release, "package.json"), "utf8"));
  const { dependencies }: { dependencies: Record<string, string> } = manifest;
  return new Map(Object.entries(dependencies).map(([name, file]) => [name, join(release, file.replace("file:", ""))]));
}

async function publish({ manifest: { name, version } }: Package, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const file = tarballs.get(name);
  if (file === undefined) throw new Error(`${name} is not in release/: run npm run pack:all.`);
  if (await isPublished(`${name}@${version}`)) {
    process.stdout.write(`${name} ${version} is already on npm.\n`);
    return;
  }
  const isAttested = process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined;
  await runNpm(["publish", file, `--provenance=${isAttested}`, ...(isDryRun ? ["--dry-run"] : [])], release);
  process.stdout.write(`${isDryRun ? "Would publish" : "Published"} ${name} ${version}.\n`);
}

async function isPublished(nameAndVersion: string): Promise<boolean> {
  try {
    return (await runNpm(["view", nameAndVersion, "version"], release)).trim() !== "";
  } catch (error) {
    if (error instanceof Error && error.message.includes("E404")) return false;
    throw error;
  }
}
