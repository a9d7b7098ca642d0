import { evictOldest } from "../domain/evict-oldest.ts";
import { limits } from "../domain/limits.ts";

/** Decides which polls of a waiting shopper's page read the session at the service. Times in milliseconds since 1970. */
export type WatchSchedule = {
  /** true: read now, and call `finish` afterwards. */
  startIfDue(paymentId: string, now: number): boolean;
  finish(paymentId: string): void;
  /** Records a shopper's return. true: nobody has returned to this payment within `limits.watchMs`, so this return reads the session. */
  isFirstReturn(paymentId: string, now: number): boolean;
};

type Watch = { readonly since: number; reads: number; isReading: boolean };

export function createWatchSchedule(): WatchSchedule {
  const watches = new Map<string, Watch>();
  const returns = new Map<string, number>();

  function startIfDue(paymentId: string, now: number): boolean {
    let watch = watches.get(paymentId);
    // A watch that begins in the future was begun before the clock was set back.
    if (!watch || watch.since > now) {
      watch = { since: now, reads: 0, isReading: false };
      watches.set(paymentId, watch);
      evictOldest(watches);
    }
    if (watch.isReading || now < watch.since + readDelayMs(watch.reads)) return false;
    if (now > watch.since + limits.watchMs) return false;
    watch.reads += 1;
    watch.isReading = true;
    return true;
  }

  function finish(paymentId: string): void {
    const watch = watches.get(paymentId);
    if (watch) watch.isReading = false;
  }

  function isFirstReturn(paymentId: string, now: number): boolean {
    const last = returns.get(paymentId);
    if (last !== undefined && last <= now && now - last < limits.watchMs) return false;
    // Deleting the entry before it is set keeps the map ordered by age, so eviction removes the oldest entry.
    returns.delete(paymentId);
    returns.set(paymentId, now);
    evictOldest(returns);
    return true;
  }

  return { startIfDue, finish, isFirstReturn };
}

/** How long after the first poll the next read is due. `reads`: the reads so far. */
function readDelayMs(reads: number): number {
  const scheduled = limits.watchReadsMs[reads];
  if (scheduled !== undefined) return scheduled;
  const last = limits.watchReadsMs.at(-1) ?? 0;
  return last + (reads - limits.watchReadsMs.length + 1) * limits.watchEveryMs;
}
