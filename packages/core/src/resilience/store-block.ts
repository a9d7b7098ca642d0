import { limits } from "../domain/limits.ts";

/** Calls of one kind that a store refuses: since when, the last refusal, and when the next call tries it. Milliseconds since 1970. */
export type Refusal = { readonly since: number; readonly at: number; readonly probeAt: number };

/** A store that refuses us, or has refused us. Times in milliseconds since 1970. */
export type StoreBlock = {
  readonly since: number;
  /** When the store answered again; null while it refuses us. */
  readonly endedAt: number | null;
  /** Until when the others wait for the call that probes the store. */
  readonly probedUntil: number;
  readonly refusals: {
    readonly read?: Refusal;
    readonly pay?: Refusal;
    readonly write?: Refusal;
  };
};

export const NO_BLOCK: StoreBlock = { since: 0, endedAt: 0, probedUntil: 0, refusals: {} };

/** A store that nobody has tried for a long time, because no payment waits for it, counts as not blocked. */
export function isBlocked({ endedAt, refusals }: StoreBlock, now: number): boolean {
  const probeTimes = Object.values(refusals).map(({ probeAt }) => probeAt);
  return endedAt === null && now < Math.max(0, ...probeTimes) + limits.untriedMs;
}

export function refusalAt(now: number, earlier: Refusal | undefined): Refusal {
  const since = Math.min(earlier?.since ?? now, now);
  const ageMs = now - since;
  const waitMs = ageMs <= limits.probeOftenMs ? limits.probeFirstMs : Math.min(ageMs / 10, limits.probeMaxMs);
  return { since, at: now, probeAt: Math.round(now + waitMs) };
}

/** A time that no right clock can have noted, because a clock ahead was set back since the refusal, has come. */
export function probeTime({ probeAt }: Refusal, now: number): number {
  return probeAt > now + limits.probeMaxMs + limits.clockSkewMs ? now : probeAt;
}

/** Another process may see a sign of life of the store before the next probe. */
export function askAgainAt(refusal: Refusal, now: number): number {
  return Math.min(probeTime(refusal, now), now + limits.blockedCheckMs);
}
