import { evictOldest } from "../domain/evict-oldest.ts";
import type { Clock } from "../ports/clock.ts";

/** Callers that ask for the same payment within `maxAgeMs` share one read of the service. */
export type ReadingCache<Reading> = {
  read(paymentId: string, maxAgeMs: number, load: () => Promise<Reading>): Promise<Reading>;
  /** A reading of the last `maxAgeMs`; undefined where none is known here. */
  known(paymentId: string, maxAgeMs: number): Promise<Reading> | undefined;
};

export function createReadingCache<Reading>(clock: Clock): ReadingCache<Reading> {
  const entries = new Map<string, { readonly startedAt: number; readonly reading: Promise<Reading> }>();

  function known(paymentId: string, maxAgeMs: number): Promise<Reading> | undefined {
    const cached = entries.get(paymentId);
    // The age counts from the start of the read: a signal that arrives later needs a new read.
    const age = cached ? clock.now() - cached.startedAt : maxAgeMs;
    // A negative age is unknown: the clock was set back since.
    return age >= 0 && age < maxAgeMs ? cached?.reading : undefined;
  }

  function read(paymentId: string, maxAgeMs: number, load: () => Promise<Reading>): Promise<Reading> {
    const cached = known(paymentId, maxAgeMs);
    if (cached) return cached;
    const entry = { startedAt: clock.now(), reading: load() };
    entries.delete(paymentId);
    entries.set(paymentId, entry);
    entry.reading.catch(() => {
      if (entries.get(paymentId) === entry) entries.delete(paymentId);
    });
    evictOldest(entries);
    return entry.reading;
  }

  return { read, known };
}
