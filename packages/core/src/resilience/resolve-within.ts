import type { Clock } from "../ports/clock.ts";

/** The value of `work`, or null when it takes longer than `ms` or `stop` is aborted first. The work itself goes on. */
export async function resolveWithin<Value>(
  clock: Clock,
  ms: number,
  work: Promise<Value>,
  stop?: AbortSignal,
): Promise<Value | null> {
  const controller = new AbortController();
  // Abort with a string: building the default AbortError with its stack is expensive.
  const stopWaiting = () => controller.abort("stopped");
  if (stop?.aborted) stopWaiting();
  stop?.addEventListener("abort", stopWaiting);
  const timeout = clock.sleep(ms, controller.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work, timeout]);
  } finally {
    stop?.removeEventListener("abort", stopWaiting);
    stopWaiting();
  }
}
