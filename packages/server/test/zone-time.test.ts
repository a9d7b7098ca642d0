import { expect, test } from "vitest";
import { dateIn, endOfDay, startOfDay } from "../src/pages/zone-time.ts";

const HOUR = 3_600_000;

test.each([
  ["2026-03-29", "2026-03-30", "Europe/Paris", 23],
  ["2026-10-25", "2026-10-26", "Europe/Paris", 25],
  ["2026-03-29", "2026-03-30", "Africa/Abidjan", 24],
  ["2026-10-04", "2026-10-05", "Australia/Lord_Howe", 23.5],
  ["2026-03-08", "2026-03-09", "America/Havana", 23],
  ["2026-03-07", "2026-03-08", "America/Havana", 24],
  ["2026-11-01", "2026-11-02", "America/Havana", 25],
  ["2026-09-06", "2026-09-07", "America/Santiago", 23],
  ["2026-09-05", "2026-09-06", "America/Santiago", 24],
  ["2026-04-04", "2026-04-05", "America/Santiago", 25],
  ["2026-04-05", "2026-04-06", "America/Santiago", 24],
  ["2026-03-29", "2026-03-30", "Atlantic/Azores", 23],
  ["2026-03-28", "2026-03-29", "Atlantic/Azores", 24],
  ["2026-10-25", "2026-10-26", "Atlantic/Azores", 25],
  ["2026-03-29", "2026-03-30", "America/Nuuk", 24],
  ["2026-03-28", "2026-03-29", "America/Nuuk", 23],
])("the day from %s to %s in %s has as many hours as its clocks show", (date, next, zone, hours) => {
  const [begin, end] = [startOfDay(date, zone) ?? 0, startOfDay(next, zone) ?? 0];
  expect((end - begin) / HOUR).toBe(hours);
  expect(endOfDay(date, zone)).toBe(end);
  expect([dateIn(begin, zone), dateIn(begin - 1, zone) < date, dateIn(end - 1, zone)]).toEqual([date, true, date]);
});

test.each([
  ["2026-03-08", "America/Havana", "2026-03-08T05:00:00Z"],
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z"],
  ["2026-03-29", "Atlantic/Azores", "2026-03-29T01:00:00Z"],
])("the day %s, whose midnight does not exist in %s, begins when the clocks show 01:00", (date, zone, begin) => {
  const at = startOfDay(date, zone) ?? 0;
  expect(new Date(at)).toEqual(new Date(begin));
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  expect(clock.format(at)).toBe(`${date.split("-").reverse().join("/")}, 01:00`);
  expect(clock.format(at - 1)).toContain("23:59");
});

test.each([
  ["2026-11-01", "America/Havana", "2026-11-01T04:00:00Z"],
  ["2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00Z"],
])("the day %s, which has two midnights in %s, begins at the first of them", (date, zone, begin) => {
  expect(new Date(startOfDay(date, zone) ?? 0)).toEqual(new Date(begin));
});

// The zones of today whose clocks change around midnight.
const CHANGES_AROUND_MIDNIGHT = [
  "Africa/Cairo",
  "America/Havana",
  "America/Nuuk",
  "America/Santiago",
  "America/Scoresbysund",
  "Asia/Beirut",
  "Atlantic/Azores",
];

test.each(CHANGES_AROUND_MIDNIGHT)("every day of 2026 begins at its first moment in %s", (zone) => {
  for (let noon = Date.UTC(2026, 0, 1, 12); noon < Date.UTC(2027, 0, 1); noon += 24 * HOUR) {
    const date = new Date(noon).toISOString().slice(0, 10);
    const begin = startOfDay(date, zone) ?? 0;
    expect([dateIn(begin, zone), dateIn(begin - 1, zone) < date], date).toEqual([date, true]);
  }
});

test("a day that a zone skipped ends at its beginning", () => {
  const midnight = Date.parse("2011-12-30T10:00:00Z");
  expect([startOfDay("2011-12-30", "Pacific/Apia"), endOfDay("2011-12-30", "Pacific/Apia")]).toEqual([
    midnight,
    midnight,
  ]);
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
