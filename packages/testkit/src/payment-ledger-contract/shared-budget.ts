import { expect, it } from "vitest";
import type { GetLedger } from "./samples.ts";
import { NOON } from "./samples.ts";

const MINUTE = { name: "minute", perMs: 60_000 };
const DAY = { name: "day", perMs: 86_400_000 };

export function testCallBudgets(getLedger: GetLedger): void {
  /** Spends one call of the budget. Returns 0, or the milliseconds to wait if a window is used up. */
  const spend = (
    now: number,
    { perMinute, perDay, credentialId = "key" }: { perMinute: number; perDay?: number; credentialId?: string },
  ) => {
    const dayWindow = perDay === undefined ? [] : [{ ...DAY, calls: perDay }];
    return getLedger().spend({ credentialId, now, windows: [{ ...MINUTE, calls: perMinute }, ...dayWindow] });
  };

  it("a window allows its number of calls and then returns the time until the window ends", async () => {
    for (let call = 0; call < 3; call += 1) expect(await spend(NOON + call, { perMinute: 3 })).toBe(0);
    expect(await spend(NOON + 20_000, { perMinute: 3 })).toBe(40_000);
    expect(await spend(NOON + 59_999, { perMinute: 3 })).toBe(1);
    expect(await spend(NOON + 60_000, { perMinute: 3 })).toBe(0);
  });

  it("a call is counted in all windows or in none", async () => {
    expect(await spend(NOON, { perMinute: 1, perDay: 2 })).toBe(0);
    expect(await spend(NOON, { perMinute: 1, perDay: 2 })).toBe(60_000);
    expect(await spend(NOON + 60_000, { perMinute: 1, perDay: 2 })).toBe(0);
    const midnight = NOON + 12 * 3_600_000;
    expect(await spend(NOON + 120_000, { perMinute: 1, perDay: 2 })).toBe(midnight - NOON - 120_000);
    expect(await spend(NOON + 120_000, { perMinute: 1 })).toBe(0);
  });

  it("calls are counted per credential", async () => {
    expect(await spend(NOON, { perMinute: 1 })).toBe(0);
    expect(await spend(NOON, { perMinute: 1, credentialId: "another key" })).toBe(0);
    expect(await spend(NOON, { perMinute: 1 })).toBeGreaterThan(0);
  });

  it("a caller with a higher limit can still call after a caller with a lower limit was stopped", async () => {
    for (let call = 0; call < 8; call += 1) expect(await spend(NOON, { perMinute: 8 })).toBe(0);
    expect(await spend(NOON, { perMinute: 8 })).toBe(60_000);
    expect(await spend(NOON, { perMinute: 10 })).toBe(0);
    expect(await spend(NOON, { perMinute: 10 })).toBe(0);
    expect(await spend(NOON, { perMinute: 10 })).toBe(60_000);
  });

  it("a window of zero calls allows no call", async () => {
    expect(await spend(NOON, { perMinute: 0 })).toBe(60_000);
    expect(await spend(NOON, { perMinute: 1 })).toBe(0);
  });

  it("a process whose clock is behind counts into the newest window", async () => {
    expect(await spend(NOON + 60_000, { perMinute: 2 })).toBe(0);
    expect(await spend(NOON + 59_000, { perMinute: 2 })).toBe(0);
    expect(await spend(NOON + 59_000, { perMinute: 2 })).toBe(61_000);
    expect(await spend(NOON + 60_000, { perMinute: 2 })).toBe(60_000);
  });

  it.each([
    ["80 hours", 80 * 3_600_000],
    ["30 days", 30 * 86_400_000],
  ] as const)(
    "a window that a clock %s ahead has opened counts as the current window once the clock is set back",
    async (_title, aheadMs) => {
      expect(await spend(NOON + aheadMs, { perMinute: 2 })).toBe(0);
      expect(await spend(NOON, { perMinute: 2 })).toBe(0);
      expect(await spend(NOON + 1, { perMinute: 2 })).toBe(59_999);
      expect(await spend(NOON + 60_000, { perMinute: 2 })).toBe(0);
    },
  );

  it("a window that a clock ahead has used up refuses calls for its own length, and no longer", async () => {
    for (let call = 0; call < 2; call += 1) expect(await spend(NOON + 86_400_000 * 30, { perMinute: 2 })).toBe(0);
    expect(await spend(NOON, { perMinute: 2 })).toBe(60_000);
    expect(await spend(NOON + 59_999, { perMinute: 2 })).toBe(1);
    expect(await spend(NOON + 60_000, { perMinute: 2 })).toBe(0);
  });

  it("fifty concurrent calls never exceed the window", async () => {
    const waits = await Promise.all(Array.from({ length: 50 }, () => spend(NOON, { perMinute: 20, perDay: 30 })));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
  });
}
