import { Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { writeMeta } from "../storage/open-store.ts";

const tenYearsMs = 10 * 366 * 86_400_000;

/**
 * Moves the sandbox's time forward and does what fell due on the way.
 * @throws Refusal `bad_request`
 */
export async function moveClock(service: Service, advanceMs: unknown): Promise<void> {
  if (typeof advanceMs !== "number" || !Number.isSafeInteger(advanceMs) || advanceMs < 0 || advanceMs > tenYearsMs) {
    throw new Refusal("bad_request", "advanceMs must be a whole number of milliseconds, from 0 to ten years.");
  }
  const offset = service.clock.offsetMs() + advanceMs;
  await service.store.write((rows) => writeMeta(rows, "clockOffsetMs", offset));
  service.clock.moveTo(offset);
  await service.timetable.catchUp();
  await service.postman.catchUp();
}
