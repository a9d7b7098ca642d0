import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CaseRandom } from "./case-random.ts";
import type { KillFixture } from "./fixture.ts";

/**
 * Simulates a power loss after the process died: truncates or corrupts the write-ahead log beyond the last commit that was
 * reported, and deletes the shared-memory file. Reported commits are on the disk because each waits for a flush of the log, so
 * nothing that was acknowledged may be missing.
 */
export async function losePower(fixture: KillFixture, random: CaseRandom): Promise<void> {
  const wal = join(fixture.folder, "ledger.db-wal");
  const size = await sizeOf(wal);
  const durableLength = Number(await readFile(join(fixture.folder, "durable"), "utf8"));
  const file = await open(wal, "r+");
  try {
    const tail = Math.max(0, size - durableLength);
    const cut = durableLength + Math.floor(random.fraction() * (tail + 1));
    await file.truncate(cut);
    if (random.happens(0.5))
      await file.write(Buffer.alloc(1 + Math.floor(random.fraction() * 10_000), 0xa5), 0, null, cut);
  } finally {
    await file.close();
  }
  await rm(`${wal.slice(0, -"wal".length)}shm`, { force: true });
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
