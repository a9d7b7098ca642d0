import { expect, test } from "vitest";
import { dateIn, endOfDay, startOfDay } from "../src/pages/zone-time.ts";

const HOUR = 3_600_000;

test.each([
  ["2026-03-29", "2026-03-30", "Europe/Paris", 23],
  ["2026-10-25", "2026-10-26", "Europe/Paris", 25],
  ["2026-03-29", "2026-03-30", "Africa/Abidjan", 24],
  ["2026-10-04", "2026-10-05", "Australia/Lord_Howe", 23.5],
])("the day from %s to %s in %s has as many hours as its clocks show", (date, next, zone, hours) => {
  const [begin, end] = [startOfDay(date, zone) ?? 0, startOfDay(next, zone) ?? 0];
  expect((end - begin) / HOUR).toBe(hours);
  expect(endOfDay(date, zone)).toBe(end);
  expect([dateIn(begin, zone), dateIn(begin - 1, zone) < date, dateIn(end - 1, zone)]).toEqual([date, true, date]);
});

test("a day in Nepal begins at a quarter past an hour of UTC", () => {
  expect(startOfDay("2026-01-06", "Asia/Kathmandu")).toBe(Date.UTC(2026, 0, 5, 18, 15));
});

test("a text that is no date has no beginning", () => {
  expect([startOfDay("2026-1-6", "UTC"), startOfDay("2026-13-01", "UTC"), startOfDay(undefined, "UTC")]).toEqual([
    null,
    null,
    null,
  ]);
  expect([endOfDay("2026-1-6", "UTC"), endOfDay(undefined, "UTC")]).toEqual([null, null]);
});

test.each([
  ["2026-03-08", "America/Havana"],
  ["2026-09-06", "America/Santiago"],
  ["2026-03-29", "Atlantic/Azores"],
])("the day %s in %s, whose clocks skip midnight, begins at one o'clock", (date, zone) => {
  const begin = startOfDay(date, zone) ?? 0;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" });
  expect([dateIn(begin, zone), clock.format(begin), dateIn(begin - 1, zone) < date]).toEqual([date, "01:00", true]);
});
