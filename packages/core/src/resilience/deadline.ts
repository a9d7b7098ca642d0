import type { Clock } from "../ports/clock.ts";

/** Rejects with `late()` when `work` takes longer than `ms`. The work itself may still land: that is the caller's business. */
export function withDeadline<Value>(clock: Clock, ms: number, work: Promise<Value>, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const takeBack = setTimer(clock, ms, () => reject(late()));
    work.then(resolve, reject).finally(takeBack);
  });
}

/** Calls `ring` after `ms`, on every clock; what it answers takes the alarm back. */
export function setTimer(clock: Clock, ms: number, ring: () => void): () => void {
  if (clock.setTimer) return clock.setTimer(ms, ring);
  const over = new AbortController();
  clock.sleep(ms, over.signal).then(ring, () => undefined);
  // A reason of its own: making the default one, with a stack, is dear.
  return () => over.abort("taken back");
}
