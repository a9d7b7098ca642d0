import { expect, test } from "vitest";
import { readPeriod } from "../src/operators/handlers/export-period.ts";
import { readFilters } from "../src/operators/handlers/payment-filters.ts";

const DAYS_WITHOUT_MIDNIGHT = [
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
  ["2026-03-29", "Atlantic/Azores", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"],
] as const;

test.each(DAYS_WITHOUT_MIDNIGHT)(
  "an export and a filter of the day %s, whose midnight does not exist in %s, begin at 01:00",
  (day, zone, begin, end) => {
    const period = { from: Date.parse(begin), until: Date.parse(end) };
    expect(readPeriod({ from: day, until: day }, zone)).toEqual(period);
    expect(readFilters({ from: day, until: day }, zone).filter).toEqual(period);
  },
);

test.each(DAYS_WITHOUT_MIDNIGHT)(
  "an export that ends before the day %s in %s ends at its midnight",
  (day, zone, begin) => {
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    expect(readPeriod({ from: dayBefore, until: dayBefore }, zone)?.until).toBe(Date.parse(begin));
  },
);
