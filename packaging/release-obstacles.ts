import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Package } from "./packages.ts";

/**
 * The reasons why these packages cannot be published, one sentence each.
 * @param environment `GITHUB_REF_NAME` and `GITHUB_REF_TYPE` tell which tag is released; a release by hand has none
 * @param repository the folder of the repository
 */
export function findObstacles(
  packages: readonly Package[],
  environment: NodeJS.ProcessEnv,
  repository: string,
): readonly string[] {
  const versions = [...new Set(packages.map(({ manifest }) => manifest.version))];
  const waiting = readdirSync(join(repository, ".changeset")).filter((file) => file.endsWith(".md"));
  const withoutNotes = packages.filter(({ folder, manifest }) => !hasNotes(folder, manifest.version));
  const tag = environment.GITHUB_REF_TYPE === "tag" ? environment.GITHUB_REF_NAME : undefined;
  return [
    ...(versions.length > 1 ? [`All packages share one version, but there are ${versions.join(" and ")}.`] : []),
    ...(waiting.length > 0
      ? [
          `${waiting.length === 1 ? "1 change file is" : `${waiting.length} change files are`} not in a version yet: run node_modules/.bin/changeset version and commit.`,
        ]
      : []),
    ...withoutNotes.map(({ name, manifest }) => `packages/${name}/CHANGELOG.md has no entry for ${manifest.version}.`),
    ...(tag !== undefined && tag !== `v${versions[0]}`
      ? [`The tag is ${tag}, but the packages are v${versions[0]}.`]
      : []),
  ];
}

function hasNotes(folder: string, version: string): boolean {
  const file = join(folder, "CHANGELOG.md");
  return existsSync(file) && readFileSync(file, "utf8").includes(`\n## ${version}\n`);
}
