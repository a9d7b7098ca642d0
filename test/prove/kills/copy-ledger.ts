import { copyFile, rm } from "node:fs/promises";

/** Copies a SQLite database with its write-ahead log while nobody has it open. */
export async function copyLedger(from: string, to: string): Promise<void> {
  for (const suffix of ["", "-wal", "-shm"]) {
    await rm(`${to}${suffix}`, { force: true });
    await copyFile(`${from}${suffix}`, `${to}${suffix}`).catch(ignoreMissing);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
