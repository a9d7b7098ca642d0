import { describe, expect, test } from "vitest";
import { barsOf, periodBefore } from "../src/operators/handlers/period-bars.ts";

const PARIS = "Europe/Paris";
const at = (time: string) => Date.parse(time);
const times = (values: readonly number[]) => values.map((value) => new Date(value).toISOString().slice(0, 16));

describe("the period before, in a zone whose days have 23 or 25 hours twice a year", () => {
  test("seven days after the clocks went forward are compared with the seven calendar days before them", () => {
    // Paris changes to summer time on 29 March 2026 at 2:00.
    const now = at("2026-04-01T10:00:00Z");
    expect(times(barsOf("7d", now, PARIS).bars)).toEqual([
      "2026-03-25T23:00",
      "2026-03-26T23:00",
      "2026-03-27T23:00",
      "2026-03-28T23:00",
      "2026-03-29T22:00",
      "2026-03-30T22:00",
      "2026-03-31T22:00",
    ]);
    const { bars, until } = periodBefore("7d", now, PARIS);
    // It is noon in Paris, and it was noon there at 11:00 UTC seven days before.
    expect(times([...bars, until])).toEqual(["2026-03-18T23:00", "2026-03-25T11:00"]);
  });

  test("the period before ends where the period begins, also when the clocks go back", () => {
    // The last minute of 25 October 2026, a day of 25 hours in Paris.
    const now = at("2026-10-25T22:59:00Z");
    for (const period of ["7d", "30d", "90d"] as const) {
      const [begin = 0] = barsOf(period, now, PARIS).bars;
      expect(times([periodBefore(period, now, PARIS).until])).toEqual(times([begin]));
    }
    expect(times(periodBefore("7d", now, PARIS).bars)).toEqual(["2026-10-11T22:00"]);
  });

  test.each([
    ["America/Havana", "2026-03-08T05:00", "2026-03-09T04:00"],
    ["America/Santiago", "2026-09-06T04:00", "2026-09-07T03:00"],
    ["Atlantic/Azores", "2026-03-29T01:00", "2026-03-30T00:00"],
  ])("the bar of a day of %s whose midnight does not exist begins at 01:00", (zone, begin, end) => {
    const { bars, until } = barsOf("7d", at(`${begin}:00Z`) + 3_600_000, zone);
    expect(times([...bars.slice(-1), until])).toEqual([begin, end]);
  });

  test("24 hours are compared with the 24 hours before, whatever the clocks show", () => {
    const { bars, until } = periodBefore("24h", at("2026-03-29T10:20:00Z"), PARIS);
    expect(times([...bars, until])).toEqual(["2026-03-27T11:00", "2026-03-28T10:20"]);
  });
});
