import { spawn } from "node:child_process";
import { access, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Choices, nameMistake } from "./choices.ts";
import { ownPackages, projectFiles } from "./project-files.ts";

/**
 * Writes a project with a store adapter, its server, its tests and a README, and installs its packages if `choices.install` is true.
 * @param onStep gets one sentence when a longer step begins
 * @throws Error if the folder is not empty, the name is invalid, or a step fails. Files that were written before the error stay
 */
export async function createProject(choices: Choices, onStep: (sentence: string) => void = () => {}): Promise<void> {
  const mistake = nameMistake(choices.name) ?? (await folderMistake(choices)) ?? (await packagesMistake(choices));
  if (mistake !== null) throw new Error(mistake);
  for (const [path, text] of projectFiles(choices)) {
    const file = join(choices.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (choices.packages !== null) await addLocalPackages(choices, choices.packages);
  if (!choices.install) return;
  onStep(`Installing the packages with ${choices.packageManager} …`);
  await run(choices.packageManager, ["install"], choices.folder).catch((error: Error) => {
    throw new Error(choices.packages === null ? error.message + NOT_ON_NPM : error.message, { cause: error });
  });
}

const NOT_ON_NPM =
  "\nThe files are written. If no version of Tillkit is on npm yet, pack it in a clone and name the folder: --packages ../tillkit/release.";

async function folderMistake({ folder }: Choices): Promise<string | null> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    // A file has this name, so no folder can be made: answer as for a folder that is not empty.
    if (error.code === "ENOTDIR") return ["a file"];
    throw error;
  });
  return entries.length === 0 ? null : `The folder ${folder} is not empty: name another folder, or empty this folder.`;
}

async function packagesMistake({ packages }: Choices): Promise<string | null> {
  if (packages === null) return null;
  const exists = await access(join(packages, "add.mjs")).then(
    () => true,
    () => false,
  );
  return exists
    ? null
    : `${packages} has no packages: run "npm run pack:all" in the clone, and name the folder "release" of the clone.`;
}

/** Adds the tarballs of the folder to the manifest. The folder's program `add.mjs` knows how each package manager takes tarballs. */
async function addLocalPackages({ folder, packageManager }: Choices, packages: string): Promise<void> {
  const addCommand = [join(packages, "add.mjs"), ...(packageManager === "pnpm" ? ["--pnpm"] : [])];
  const withScope = (names: readonly string[]) => names.map((name) => `@tillkit/${name}`);
  await run(process.execPath, [...addCommand, ...withScope(ownPackages.used)], folder);
  await run(process.execPath, [...addCommand, "--dev", ...withScope(ownPackages.toDevelop)], folder);
}

/** @throws Error with the end of the program's output */
async function run(program: string, args: readonly string[], folder: string): Promise<void> {
  // On Windows only a shell can start npm, which is a script there. The arguments are our own texts and need no quoting.
  const shell = process.platform === "win32" && program !== process.execPath;
  const child = spawn(program, args, { cwd: folder, shell, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", (cause) => reject(new Error(`${program} cannot be started: install it first.`, { cause })));
    child.once("close", resolve);
  });
  if (code !== 0)
    throw new Error(`${[program, ...args].join(" ")} failed in ${folder}:\n${output.trim().slice(-2_000)}`);
}
