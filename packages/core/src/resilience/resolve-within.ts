import type { Clock } from "../ports/clock.ts";

/** Without a reason of ours each abort would make an error of its own, stack and all. */
const OVER = "over";

/** What the work answered, or null when that takes longer than `ms` or `stop` comes first; the work itself goes on. */
export async function resolveWithin<Answer>(
  clock: Clock,
  ms: number,
  work: Promise<Answer>,
  stop?: AbortSignal,
): Promise<Answer | null> {
  const answered = new AbortController();
  const giveUp = () => answered.abort(OVER);
  if (stop?.aborted) giveUp();
  stop?.addEventListener("abort", giveUp);
  const late = clock.sleep(ms, answered.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    stop?.removeEventListener("abort", giveUp);
    giveUp();
  }
}
