import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { siteFolder } from "./folders.ts";
import { generatedPages } from "./generated-pages.ts";

const TYPES_DEADLINE_MS = 300_000;
const TYPES_MEMORY_MB = 1_024;

/** Writes the pages that are made from files of the repository. */
export async function writeGeneratedPages(): Promise<void> {
  for (const [path, text] of await generatedPages()) {
    const file = join(siteFolder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Removes the pages of earlier builds, because the package or entry of a page may be gone. */
export async function removeGeneratedFolders(): Promise<void> {
  for (const folder of ["api", "service-api"]) await rm(join(siteFolder, folder), { recursive: true, force: true });
}

/**
 * Writes the pages about the types of the packages in a separate process with limited memory and time.
 * @throws Error if the process fails. The process writes the reason to standard error
 */
export function writeTypePages(): Promise<void> {
  const program = fileURLToPath(new URL("write-type-pages.ts", import.meta.url));
  const child = spawn(process.execPath, [`--max-old-space-size=${TYPES_MEMORY_MB}`, ...process.execArgv, program], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: TYPES_DEADLINE_MS,
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The pages about types could not be written (${signal ?? `exit code ${code}`}).`));
    });
  });
}
