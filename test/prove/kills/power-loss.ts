import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Chance } from "./chance.ts";
import type { World } from "./world.ts";

/**
 * The machine loses power together with the process: of the write-ahead log, what lies beyond the last commit that SQLite has
 * reported is cut off anywhere or is rubbish, and the shared memory beside it is gone. What was reported is on the disk:
 * `synchronous = full` waits for it. So nothing may be missing that anybody was told.
 */
export async function losePower(world: World, chance: Chance): Promise<void> {
  const wal = join(world.folder, "ledger.db-wal");
  const size = await sizeOf(wal);
  const durable = Number(await readFile(join(world.folder, "durable"), "utf8"));
  const file = await open(wal, "r+");
  try {
    const tail = Math.max(0, size - durable);
    const cut = durable + Math.floor(chance.fraction() * (tail + 1));
    await file.truncate(cut);
    if (chance.happens(0.5))
      await file.write(Buffer.alloc(1 + Math.floor(chance.fraction() * 10_000), 0xa5), 0, null, cut);
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
