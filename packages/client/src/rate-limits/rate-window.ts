import type { RateLimit } from "./rate-limit.ts";

const SLOTS = 60;

/** Counts the calls of the last `windowMs` in 60 slots, so a day needs no more memory than a minute. */
export type RateWindow = {
  readonly limit: number;
  readonly windowMs: number;
  recordCall(now: number): void;
  /** When the window has room for one more call besides `reserved` calls; `now` when it has room already. */
  availableAt(now: number, reserved: number): number;
  /** Takes over the service's count when it is higher, because other processes use the same key. */
  syncRemaining(remaining: number, now: number): void;
};

export function createRateWindow({ limit, windowSeconds }: Omit<RateLimit, "remaining">): RateWindow {
  const windowMs = windowSeconds * 1000;
  const slotMs = windowMs / SLOTS;
  const counts = new Map<number, number>();
  let used = 0;

  const expiresAt = (slot: number) => (slot + 1) * slotMs + windowMs;
  /** The map lists the oldest slot first. Calls of a future slot were counted before the clock was set back, and count as made now. */
  function dropExpired(now: number): void {
    const current = Math.floor(now / slotMs);
    const future = [...counts].filter(([slot]) => slot > current);
    for (const [slot, count] of future) {
      counts.delete(slot);
      counts.set(current, (counts.get(current) ?? 0) + count);
    }
    for (const [slot, count] of counts) {
      if (expiresAt(slot) > now) return;
      counts.delete(slot);
      used -= count;
    }
  }
  function add(count: number, now: number): void {
    const slot = Math.floor(now / slotMs);
    counts.set(slot, (counts.get(slot) ?? 0) + count);
    used += count;
  }

  return {
    limit,
    windowMs,
    recordCall: (now) => add(1, now),
    availableAt(now, reserved) {
      dropExpired(now);
      let excess = used - Math.max(0, limit - 1 - reserved);
      let available = now;
      for (const [slot, count] of counts) {
        if (excess <= 0) break;
        excess -= count;
        available = expiresAt(slot);
      }
      return available;
    },
    syncRemaining(remaining, now) {
      dropExpired(now);
      const missing = limit - remaining - used;
      if (missing > 0) add(missing, now);
    },
  };
}
