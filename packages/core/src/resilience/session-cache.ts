import { evictOldest } from "../domain/evict-oldest.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";

/** Callers that verify the same payment within `maxAgeMs` share one read of its session. */
export type SessionCache = {
  read(paymentId: string, maxAgeMs: number, load: () => Promise<SessionReading>): Promise<SessionReading>;
};

export function createSessionCache(clock: Clock): SessionCache {
  const entries = new Map<string, { readonly startedAt: number; readonly reading: Promise<SessionReading> }>();

  function read(paymentId: string, maxAgeMs: number, load: () => Promise<SessionReading>): Promise<SessionReading> {
    const cached = entries.get(paymentId);
    // The age counts from the start of the read: a signal that arrives later needs a new read.
    const age = cached ? clock.now() - cached.startedAt : maxAgeMs;
    // A negative age is unknown: the clock was set back since.
    if (cached && age >= 0 && age < maxAgeMs) return cached.reading;
    const entry = { startedAt: clock.now(), reading: load() };
    entries.delete(paymentId);
    entries.set(paymentId, entry);
    entry.reading.catch(() => {
      if (entries.get(paymentId) === entry) entries.delete(paymentId);
    });
    evictOldest(entries);
    return entry.reading;
  }

  return { read };
}
