import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { repository, runCommand } from "./packages/command.ts";

it("the change files make one next version below 1.0 for every package", async () => {
  const copy = await mkdtemp(join(tmpdir(), "tillkit-version-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const listing = await runCommand(
    "git",
    ["ls-files", "-co", "--exclude-standard", "--", ".changeset", "*package.json", "pnpm-*.yaml"],
    repository,
  );
  const files = listing.trim().split("\n");
  for (const file of files) await cp(join(repository, file), join(copy, file)).catch(ignoreDeleted);
  await symlink(join(repository, "node_modules"), join(copy, "node_modules"));
  await runCommand("git", ["init", "--quiet"], copy);
  await runCommand("node", ["node_modules/@changesets/cli/bin.js", "version"], copy);
  const manifests = files.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file));
  const packages = await Promise.all(
    manifests.map(async (file) => JSON.parse(await readFile(join(copy, file), "utf8"))),
  );
  const versions = packages.filter((manifest) => !manifest.private).map(({ version }) => version);
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/^0\.\d+\.\d+$/);
});

function ignoreDeleted(error: { readonly code?: string }): void {
  if (error.code !== "ENOENT") throw error;
}
