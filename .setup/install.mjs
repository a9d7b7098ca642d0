import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { quietPnpm } from "./pnpm.mjs";
import { showProgress } from "./progress.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What can be installed: the arguments for pnpm. The second contains the first. */
export const selections = {
  programs: ["--prod", "--filter", "@tillkit/example-shop...", "--filter", "@tillkit/cli..."],
  everything: [],
};

const stampFile = join(root, "node_modules", ".tillkit-installed.json");
const lockFile = join(root, ".tillkit", "install.lock");

/**
 * Installs one of the selections, unless that was done for this very lockfile.
 * Standard output stays untouched: it belongs to the program that runs next.
 * @returns false when the installation failed; standard error then names the reason and what to do.
 */
export async function installOnce(selection) {
  if (isInstalled(selection)) return true;
  return whileAlone(async () => isInstalled(selection) || (await install(hasEverything() ? "everything" : selection)));
}

async function install(selection) {
  const progress = showProgress("Installing dependencies (only the first time)");
  const { code, output } = await quietPnpm(["install", "--frozen-lockfile", ...selections[selection]]);
  if (code === 0) {
    progress.done("Dependencies installed");
    writeStamp(selection);
    return true;
  }
  progress.failed("The installation failed. pnpm said:");
  process.stderr.write(`\n${output.trim()}\n\n`);
  process.stderr.write(
    "Check that this machine reaches the npm registry and has free disk space, delete the folder node_modules, and run the same command again.\n",
  );
  process.exitCode = 1;
  return false;
}

function isInstalled(selection) {
  const stamp = readStamp();
  return stamp.lockfile === lockfileDigest() && [selection, "everything"].includes(stamp.selection);
}

/** Whether a developer has installed everything. Installing only what the programs need would remove the developer's tools. */
function hasEverything() {
  const pnpmState = join(root, "node_modules", ".modules.yaml");
  return existsSync(pnpmState) && /"?devDependencies"?: true/.test(readFileSync(pnpmState, "utf8"));
}

function writeStamp(selection) {
  writeFileSync(stampFile, JSON.stringify({ lockfile: lockfileDigest(), selection }));
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return {};
  }
}

function lockfileDigest() {
  return createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
}

/** Two commands started side by side on a fresh clone must not write the same node_modules at once. */
async function whileAlone(work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  while (!tryLock()) await sleep(200);
  try {
    return await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function tryLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!ownerIsAlive()) rmSync(lockFile, { force: true });
    return false;
  }
}

function ownerIsAlive() {
  if (!existsSync(lockFile)) return false;
  try {
    process.kill(Number(readFileSync(lockFile, "utf8")), 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
