import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { repository } from "./packages.ts";

/**
 * The URL of this repository without a final slash, from the forge that runs the release or from `repository` in the root
 * package.json. Null if neither names a URL. npm accepts a package with provenance only from the URL in its manifest.
 */
export function repositoryUrl(environment: NodeJS.ProcessEnv = process.env): string | null {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = environment;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  const manifest: { readonly repository?: string } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  return manifest.repository ?? null;
}
