import { describe, expect, it } from "vitest";
import { limits, nextCheck } from "../../src/domain/limits.ts";

const HOUR = 3_600_000;

function scheduledReads(
  payment: { createdAt: number; session: { expiresAt: number } | null },
  openedAt = payment.createdAt,
): number[] {
  const times: number[] = [];
  const next = (now: number) => nextCheck({ ...payment, checks: times.length }, now);
  for (let at = next(openedAt); at !== null; at = next(at)) times.push(at);
  return times;
}

describe("nextCheck", () => {
  it("an abandoned payment is read ten times: seven times while it is open and three times until the grace period ends", () => {
    const times = scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } });
    expect(times).toHaveLength(10);
    expect(times.at(-1)).toBe(HOUR + 72 * HOUR);
  });

  it("an open session is read at least every ten minutes", () => {
    const times = [0, ...scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } }).slice(0, 8)];
    for (let index = 1; index < times.length; index += 1) {
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeLessThan(10 * 60_000);
    }
  });

  it("a day of 1,000 checkouts, 700 of them abandoned, stays under 10,000 calls", () => {
    const callsWhenAbandoned = 1 + scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } }).length;
    // One POST opens the session, and at most four reads follow until the order is paid.
    const callsWhenPaid = 1 + 4;
    expect(700 * callsWhenAbandoned + 300 * callsWhenPaid).toBeLessThan(10_000);
  });

  it("a short session is not read right before and right after its end", () => {
    const times = scheduledReads({ createdAt: 0, session: { expiresAt: 5 * 60_000 } });
    expect(times).toEqual([2 * 60_000, 6 * 60_000, 5 * 60_000 + 24 * HOUR, 5 * 60_000 + 72 * HOUR]);
  });

  it("a session that was opened an hour after its payment is read within ten minutes and until its own grace period ends", () => {
    const openedAt = 1.1 * HOUR;
    const times = scheduledReads({ createdAt: 0, session: { expiresAt: openedAt + HOUR } }, openedAt);
    expect(times[0]).toBeLessThan(openedAt + 10 * 60_000);
    expect(times).toHaveLength(9);
    expect(times.at(-1)).toBe(openedAt + 73 * HOUR);
  });

  it("a payment that a clock a hundred days ahead has dated is read every three days until its date", () => {
    const createdAt = 100 * 24 * HOUR;
    const [first = 0, second = 0] = scheduledReads({ createdAt, session: { expiresAt: createdAt + HOUR } }, 0).slice(9);
    expect(second - first).toBe(72 * HOUR);
  });

  it("a payment without a session is checked when its Idempotency-Key expires", () => {
    expect(scheduledReads({ createdAt: 0, session: null })).toEqual([limits.keyLifeMs]);
  });
});
