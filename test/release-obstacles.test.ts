import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findObstacles } from "../packaging/release-obstacles.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tillkit-obstacles-"));
  mkdirSync(join(folder, ".changeset"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a release", () => {
  it("one version with notes and its tag has no obstacles", () => {
    const packages = [packageWith("core", "0.2.0"), packageWith("server", "0.2.0")];
    expect(findObstacles(packages, { GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.2.0" }, folder)).toEqual([]);
    expect(findObstacles(packages, {}, folder)).toEqual([]);
  });

  it("the tag of another version is an obstacle", () => {
    const environment = { GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v0.3.0" };
    expect(findObstacles([packageWith("core", "0.2.0")], environment, folder)).toEqual([
      "The tag is v0.3.0, but the packages are v0.2.0.",
    ]);
  });

  it("changes that no version contains yet are an obstacle", () => {
    writeFileSync(join(folder, ".changeset", "a-change.md"), "");
    expect(findObstacles([packageWith("core", "0.2.0")], {}, folder)).toEqual([
      "1 change file is not in a version yet: run node_modules/.bin/changeset version and commit.",
    ]);
  });

  it("two versions are an obstacle, and so is a version without notes", () => {
    const packages = [packageWith("core", "0.2.0"), packageWith("server", "0.1.0", "0.2.0")];
    expect(findObstacles(packages, {}, folder)).toEqual([
      "All packages share one version, but there are 0.2.0 and 0.1.0.",
      "packages/server/CHANGELOG.md has no entry for 0.1.0.",
    ]);
  });
});

function packageWith(name: string, version: string, versionWithNotes = version) {
  const home = join(folder, name);
  mkdirSync(home);
  writeFileSync(join(home, "CHANGELOG.md"), `# @tillkit/${name}\n\n## ${versionWithNotes}\n\n### Minor Changes\n`);
  return { name, folder: home, manifest: { name: `@tillkit/${name}`, version } };
}
