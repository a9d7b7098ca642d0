import type { RateLimit } from "./rate-limit.ts";

const SLOTS = 60;

/** Calls of the last `windowMs`, counted in sixtieths of it: a day takes no more memory than a minute. */
export type RateWindow = {
  readonly limit: number;
  readonly windowMs: number;
  recordCall(now: number): void;
  /** When one more call fits if `reserved` of the limit is kept back; `now` when one fits at once. */
  availableAt(now: number, reserved: number): number;
  /** Other processes use the same key: the service's count prevails when it is the higher one. */
  syncRemaining(remaining: number, now: number): void;
};

export function createRateWindow({ limit, windowSeconds }: Omit<RateLimit, "remaining">): RateWindow {
  const windowMs = windowSeconds * 1000;
  const slotMs = windowMs / SLOTS;
  const counts = new Map<number, number>();
  let used = 0;

  const leavesAt = (slot: number) => (slot + 1) * slotMs + windowMs;
  function forget(now: number): void {
    for (const [slot, count] of counts) {
      if (leavesAt(slot) > now) return;
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
      forget(now);
      let over = used - Math.max(0, limit - 1 - reserved);
      let free = now;
      for (const [slot, count] of counts) {
        if (over <= 0) break;
        over -= count;
        free = leavesAt(slot);
      }
      return free;
    },
    syncRemaining(remaining, now) {
      forget(now);
      const missing = limit - remaining - used;
      if (missing > 0) add(missing, now);
    },
  };
}
