import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { repository, runCommand } from "./command.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder whose subfolder `release` holds the packages that `npm run pack:all` makes. */
    readonly clone: string;
  }
}

/** Packs every package once, for all tests of this group, and builds those that changed. */
export default async function packEverything(project: TestProject): Promise<() => Promise<void>> {
  const clone = await mkdtemp(join(tmpdir(), "tillkit-clone-"));
  await runCommand("npm", ["run", "--silent", "pack:all", "--", "--if-changed", join(clone, "release")], repository);
  project.provide("clone", clone);
  return () => rm(clone, { recursive: true, force: true });
}
