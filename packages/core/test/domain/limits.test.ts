import { describe, expect, it } from "vitest";
import { limits, nextCheck } from "../../src/domain/limits.ts";

const HOUR = 3_600_000;

function scheduledReads(payment: { createdAt: number; session: { expiresAt: number } | null }): number[] {
  const times: number[] = [];
  let now = payment.createdAt;
  for (let at = nextCheck(payment, now); at !== null; at = nextCheck(payment, now)) {
    times.push(at);
    now = at;
  }
  return times;
}

describe("the schedule of reads", () => {
  it("reads an abandoned payment ten times: seven while it is open, three afterwards until grace ends", () => {
    const times = scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } });
    expect(times).toHaveLength(10);
    expect(times.at(-1)).toBe(HOUR + 72 * HOUR);
  });

  it("leaves at most ten minutes between reads while the session is open", () => {
    const times = [0, ...scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } }).slice(0, 8)];
    for (let index = 1; index < times.length; index += 1) {
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeLessThan(10 * 60_000);
    }
  });

  it("keeps a day of 1,000 checkouts, 700 of them abandoned, under 10,000 calls", () => {
    const abandoned = 1 + scheduledReads({ createdAt: 0, session: { expiresAt: HOUR } }).length;
    const paid = 1 + 4;
    expect(700 * abandoned + 300 * paid).toBeLessThan(10_000);
  });

  it("never reads a short session before and after its end in one go", () => {
    const times = scheduledReads({ createdAt: 0, session: { expiresAt: 5 * 60_000 } });
    expect(times).toEqual([2 * 60_000, 6 * 60_000, 5 * 60_000 + 24 * HOUR, 5 * 60_000 + 72 * HOUR]);
  });

  it("only waits for the Idempotency-Key to lapse when there is no session to read", () => {
    expect(scheduledReads({ createdAt: 0, session: null })).toEqual([limits.intentMs]);
  });
});
