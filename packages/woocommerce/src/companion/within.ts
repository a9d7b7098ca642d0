import type { Clock } from "@tillkit/core";

/** What the work answered, or null when that takes longer than `ms`; the work itself goes on. */
export async function within<Answer>(clock: Clock, ms: number, work: Promise<Answer>): Promise<Answer | null> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort("answered");
  }
}
