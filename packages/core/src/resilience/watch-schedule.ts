import { limits } from "../domain/limits.ts";
import { evictOldest } from "./session-cache.ts";

/** Decides when a waiting shopper's look is worth a read of the service. Times in milliseconds since 1970. */
export type WatchSchedule = {
  /** true: read now. Whoever gets true must call `done` afterwards. */
  startIfDue(paymentId: string, now: number): boolean;
  finish(paymentId: string): void;
  /** A shopper came back. true: nobody came back to this payment in the last ten minutes, so it is worth a read of its own. */
  isFirstReturn(paymentId: string, now: number): boolean;
};

type Watch = { readonly since: number; reads: number; busy: boolean };

export function createWatchSchedule(): WatchSchedule {
  const watches = new Map<string, Watch>();
  const returns = new Map<string, number>();

  function due(paymentId: string, now: number): boolean {
    let watch = watches.get(paymentId);
    if (!watch) {
      watch = { since: now, reads: 0, busy: false };
      watches.set(paymentId, watch);
      evictOldest(watches);
    }
    if (watch.busy || now < watch.since + readAfter(watch.reads)) return false;
    if (now > watch.since + limits.watchMs) return false;
    watch.reads += 1;
    watch.busy = true;
    return true;
  }

  function done(paymentId: string): void {
    const watch = watches.get(paymentId);
    if (watch) watch.busy = false;
  }

  function returned(paymentId: string, now: number): boolean {
    const last = returns.get(paymentId);
    if (last !== undefined && now - last < limits.watchMs) return false;
    // Deleted before it is set, so that the map stays ordered by age and the oldest entry is forgotten first.
    returns.delete(paymentId);
    returns.set(paymentId, now);
    evictOldest(returns);
    return true;
  }

  return { startIfDue: due, finish: done, isFirstReturn: returned };
}

function readAfter(reads: number): number {
  const first = limits.watchReadsMs[reads];
  if (first !== undefined) return first;
  const last = limits.watchReadsMs.at(-1) ?? 0;
  return last + (reads - limits.watchReadsMs.length + 1) * limits.watchEveryMs;
}
