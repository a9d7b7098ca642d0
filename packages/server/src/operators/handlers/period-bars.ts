import { serverLimits } from "../../limits.ts";
import { dateIn, startOfDay } from "../../pages/zone-time.ts";
import type { Period } from "../texts/figure-texts.ts";

/** When each bar of a period begins, and when the last one ends, in milliseconds since 1970. */
export type Bars = { readonly bars: readonly number[]; readonly until: number };

const HOUR_MS = 3_600_000;
const HOURS = 24;

/** A period of the figures, or the day of today. */
type Span = Period | "1d";

/** The bars of 24 hours begin at full hours, all others at midnight of the operator's zone. A day of that zone may have 23 or 25 hours. */
export function barsOf(period: Span, now: number, zone: string): Bars {
  if (period === "24h") {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
    const bars = Array.from({ length: HOURS }, (_, index) => hour + (index + 1 - HOURS) * HOUR_MS);
    return { bars, until: hour + HOUR_MS };
  }
  const midnight = midnights(now, zone);
  const days = daysOf(period);
  return { bars: Array.from({ length: days }, (_, index) => midnight(index + 1 - days)), until: midnight(1) };
}

/**
 * The period before, as one bar of as many days. Its last day is cut at the present time of day, so that half of today is not compared
 * with a whole day.
 */
export function periodBefore(period: Span, now: number, zone: string): Bars {
  const [begin = now] = barsOf(period, now, zone).bars;
  if (period === "24h") return { bars: [begin - HOURS * HOUR_MS], until: now - HOURS * HOUR_MS };
  const midnight = midnights(now, zone);
  const days = daysOf(period);
  // When today has 25 hours, more time may have passed today than the last day of the period before lasts.
  const until = Math.min(midnight(-days) + now - midnight(0), midnight(1 - days));
  return { bars: [midnight(1 - 2 * days)], until };
}

/** 7 for `7d`. */
function daysOf(period: Span): number {
  return Number.parseInt(period, 10);
}

/** Returns a function for the midnight at the beginning of today (0), of tomorrow (1), of yesterday (-1), and so on. */
function midnights(now: number, zone: string): (daysFromNow: number) => number {
  const today = Date.parse(dateIn(now, zone));
  return (daysFromNow) => {
    const date = new Date(today + daysFromNow * serverLimits.dayMs).toISOString().slice(0, 10);
    return startOfDay(date, zone) ?? now;
  };
}
