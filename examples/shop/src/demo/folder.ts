import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

/** What the demo stores between two starts, so that links, keys and the registered webhook stay valid. */
export type SavedState = {
  readonly shopPort: number;
  readonly sandboxPort: number;
  /** The keys that sign links and references, newest first. */
  readonly keys: readonly [string, ...string[]];
  /** The token of the operators' pages. */
  readonly operatorToken: string;
  readonly webhook: { readonly id: string; readonly secret: string } | null;
};

export async function readSavedState(folder: string): Promise<SavedState> {
  const [key, operatorToken] = [randomBytes(32).toString("base64url"), randomBytes(24).toString("base64url")];
  const initial: SavedState = { shopPort: 0, sandboxPort: 0, keys: [key], operatorToken, webhook: null };
  try {
    return { ...initial, ...(JSON.parse(await readFile(join(folder, "shop.json"), "utf8")) as Partial<SavedState>) };
  } catch {
    return initial;
  }
}

export async function writeSavedState(folder: string, state: SavedState): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The file contains keys, so only this user may read it.
  await writeFile(join(folder, "shop.json"), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/**
 * Locks the folder for this process and returns a function that unlocks it.
 * @throws Error with one sentence if another process holds the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "running.pid");
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
  } catch (error) {
    const lockingPid = Number(await readFile(file, "utf8").catch(() => ""));
    if (isAlive(lockingPid)) throw new Error(await busySentence(folder, lockingPid), { cause: error });
    await writeFile(file, String(process.pid));
  }
  return async () => await rm(file, { force: true });
}

async function busySentence(folder: string, lockingPid: number): Promise<string> {
  const { shopPort } = await readSavedState(folder);
  const where = shopPort > 0 ? ` at http://127.0.0.1:${shopPort}` : "";
  return `The shop is already running in this folder${where} (process ${lockingPid}): open it there, or stop it with Ctrl-C first.`;
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
