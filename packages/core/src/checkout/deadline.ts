import type { Clock } from "../ports/clock.ts";

/** Rejects with `late()` when `work` takes longer than `ms`. The work itself may still land: that is the caller's business. */
export async function withDeadline<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
  late: () => Error,
): Promise<Value> {
  const finished = new AbortController();
  const alarm = clock.sleep(ms, finished.signal).then(
    () => Promise.reject(late()),
    () => new Promise<never>(() => {}),
  );
  try {
    return await Promise.race([work, alarm]);
  } finally {
    // A reason of its own: making the default one, with a stack, is the dearest step of a call that is answered.
    finished.abort("answered");
  }
}
