import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the built program; the first test file that needs the program builds it. */
    readonly program: string;
  }
}

// Inside the package, so that the built program finds the package's dependencies.
const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));

/** Gives all test files one folder for the built program, and removes it after the last one. */
export default async function shareProgram(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftOvers();
  const remove = () => removeProgram(process.pid);
  project.provide("program", join(modules, `.program-${process.pid}`));
  project.onTestsRerun(remove);
  return remove;
}

async function removeProgram(pid: number): Promise<void> {
  for (const end of ["", ".part", ".lock"])
    await rm(join(modules, `.program-${pid}${end}`), { recursive: true, force: true });
}

// A run that was killed could not remove its program.
async function removeLeftOvers(): Promise<void> {
  const pids = (await readdir(modules)).flatMap((name) => /^\.program-(\d+)/.exec(name)?.[1] ?? []).map(Number);
  for (const pid of new Set(pids)) if (!isAlive(pid)) await removeProgram(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
