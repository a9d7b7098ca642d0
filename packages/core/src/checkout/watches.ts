import { limits } from "../domain/limits.ts";
import { forgetOldest } from "./readings.ts";

/** Decides when a waiting shopper's look is worth a read of the service. Times in milliseconds since 1970. */
export type Watches = {
  /** true: read now. Whoever gets true must call `done` afterwards. */
  due(paymentId: string, now: number): boolean;
  done(paymentId: string): void;
};

type Watch = { readonly since: number; reads: number; busy: boolean };

export function createWatches(): Watches {
  const watches = new Map<string, Watch>();

  function due(paymentId: string, now: number): boolean {
    let watch = watches.get(paymentId);
    if (!watch) {
      watch = { since: now, reads: 0, busy: false };
      watches.set(paymentId, watch);
      forgetOldest(watches);
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

  return { due, done };
}

function readAfter(reads: number): number {
  const first = limits.watchReadsMs[reads];
  if (first !== undefined) return first;
  const last = limits.watchReadsMs.at(-1) ?? 0;
  return last + (reads - limits.watchReadsMs.length + 1) * limits.watchEveryMs;
}
