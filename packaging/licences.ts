// npm run licences: what a shop installs with our packages, as release/licences.md and release/sbom.cdx.json (CycloneDX).
// Needs release/ of `npm run pack:all`. Fails when a package has a licence that has not been accepted.
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { findUnaccepted, type Inventory, licenceTable, withoutLocalPaths } from "./inventory.ts";
import { repository } from "./packages.ts";
import { runNpm } from "./run-program.ts";

const release = join(repository, "release");
try {
  const inventory = withoutLocalPaths(await readInventory());
  await writeFile(join(release, "sbom.cdx.json"), `${JSON.stringify(inventory, null, 2)}\n`);
  await writeFile(join(release, "licences.md"), licenceTable(inventory));
  process.stdout.write(
    `Wrote sbom.cdx.json and licences.md with ${inventory.components.length} packages into release/.\n`,
  );
  const unaccepted = findUnaccepted(inventory);
  if (unaccepted.length > 0) {
    throw new Error(
      `Accept these licences in packaging/inventory.ts, or do without the packages:\n${unaccepted.join("\n")}`,
    );
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** npm resolves what an installation of every package of ours contains, without installing it. */
async function readInventory(): Promise<Inventory> {
  const files = await readdir(release).catch(() => []);
  const tarballs = files.filter((file) => file.endsWith(".tgz"));
  if (tarballs.length === 0) throw new Error("There is nothing in release/: run npm run pack:all first.");
  const work = await mkdtemp(join(tmpdir(), "tillkit-licences-"));
  try {
    const folder = join(work, "tillkit"); // npm names the inventory after its folder
    await mkdir(folder);
    for (const file of ["package.json", ...tarballs]) await copyFile(join(release, file), join(folder, file));
    await runNpm(["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], folder);
    const sbom = ["sbom", "--package-lock-only", "--omit", "dev", "--sbom-format", "cyclonedx"];
    return JSON.parse(await runNpm(sbom, folder));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
