import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { repository } from "./packages.ts";

/**
 * The web address of this repository, without an ending slash: the forge that runs the release says it, or the `repository` of the
 * root package.json. Null while there is none. npm accepts a package with provenance only from the address in its manifest.
 */
export function repositoryUrl(environment: NodeJS.ProcessEnv = process.env): string | null {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = environment;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  const manifest: { readonly repository?: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  return manifest.repository ?? null;
}
