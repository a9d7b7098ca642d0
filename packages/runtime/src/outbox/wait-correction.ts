import { type Clock, limits } from "@tillkit/core";
import type { DueQueue, QueueEntry } from "./due-queue.ts";
import type { TaskRows } from "./task-rows.ts";

/**
 * Shortens the waits of tasks that a clock ahead of time has scheduled, to their whole length from now: the holder of a lease may be at
 * work. A process looks for them when it starts, after its clock was set back, and every `limits.clockCorrectionMs`.
 */
export function createWaitCorrection(
  clock: Clock,
  queue: DueQueue,
  rows: TaskRows<unknown>,
): (waiting: readonly QueueEntry[]) => Promise<void> {
  let correctedAt = Number.POSITIVE_INFINITY;

  async function shorten({ dueAt, id }: QueueEntry): Promise<void> {
    const found = await rows.read(id);
    const now = clock.now();
    if (found === null || found.row.dueAt !== dueAt) return;
    const { scheduledAt = now } = found.row;
    if (scheduledAt <= now + limits.clockSkewMs) return;
    const row = { ...found.row, dueAt: now + Math.max(0, dueAt - scheduledAt), scheduledAt: now };
    if (await rows.write(id, row, found.version)) await queue.remove(dueAt, id);
  }

  return async function shortenWaits(waiting) {
    const now = clock.now();
    if (now >= correctedAt && now < correctedAt + limits.clockCorrectionMs) return;
    correctedAt = now;
    for (const entry of waiting) await shorten(entry);
  };
}
