import { limits } from "../domain/limits.ts";
import type { SessionReading } from "../domain/session-reading.ts";
import type { Clock } from "../ports/clock.ts";

/** One read serves everybody who looks at the same payment within `maxAgeMs`. */
export type SessionCache = {
  read(paymentId: string, maxAgeMs: number, ask: () => Promise<SessionReading>): Promise<SessionReading>;
};

export function createSessionCache(clock: Clock): SessionCache {
  const shared = new Map<string, { readonly at: number; readonly reading: Promise<SessionReading> }>();

  function read(paymentId: string, maxAgeMs: number, ask: () => Promise<SessionReading>): Promise<SessionReading> {
    const known = shared.get(paymentId);
    // `at` is when the read began: a signal that came later must not be answered by it.
    if (known && clock.now() - known.at < maxAgeMs) return known.reading;
    const entry = { at: clock.now(), reading: ask() };
    shared.delete(paymentId);
    shared.set(paymentId, entry);
    entry.reading.catch(() => {
      if (shared.get(paymentId) === entry) shared.delete(paymentId);
    });
    evictOldest(shared);
    return entry.reading;
  }

  return { read };
}

export function evictOldest(entries: Map<string, unknown>): void {
  if (entries.size <= limits.watchedPayments) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
