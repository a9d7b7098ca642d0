const DAY_MS = 24 * 60 * 60_000;

/**
 * The beginning of a day in a time zone, in milliseconds since 1970; null for a text that is no date like `2026-01-31`. In Havana, Santiago
 * and on the Azores the clocks are set forward at midnight, so that one day of the year begins at 01:00.
 */
export function startOfDay(date: string | undefined, zone: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) return null;
  // No zone is more than a day away from UTC, so the clocks of these two times show the offsets before and after midnight.
  const offsets = [at - DAY_MS, at + DAY_MS].map((time) => offsetAt(time, zone));
  const midnights = offsets.map((offset) => at - offset).filter((time) => time + offsetAt(time, zone) === at);
  return midnights.length > 0 ? Math.min(...midnights) : clockChangeOver(at, zone);
}

/** When the clocks of a zone skip a local time, such as midnight: the moment at which they are set forward. */
function clockChangeOver(local: number, zone: string): number {
  let [before, after] = [local - DAY_MS, local + DAY_MS];
  while (after - before > 1_000) {
    const middle = Math.floor((before + after) / 2_000) * 1_000;
    if (middle + offsetAt(middle, zone) < local) before = middle;
    else after = middle;
  }
  return after;
}

/** The end of a day in a time zone, which may come 23 or 25 hours after its beginning; null like `startOfDay`. */
export function endOfDay(date: string | undefined, zone: string): number | null {
  const begin = startOfDay(date, "UTC");
  return begin === null ? null : startOfDay(new Date(begin + DAY_MS).toISOString().slice(0, 10), zone);
}

/** The date in a time zone, like `2026-01-31`. */
export function dateIn(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 10);
}

/** How far a zone is ahead of UTC at a time, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  if (zone === "UTC") return 0;
  const parts = formatOf(zone).formatToParts(at);
  const part = (wanted: Intl.DateTimeFormatPartTypes) => Number(parts.find(({ type }) => type === wanted)?.value);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(at / 1_000) * 1_000;
}

// A format is expensive to create, and a picture of ninety days needs the offset of each day.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
