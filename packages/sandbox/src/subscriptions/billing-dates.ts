import { isoDate } from "../domain/clock.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";

/** The same day one interval later, or the last day of a shorter month. Dates are `YYYY-MM-DD`. */
export function nextBillingDate(date: string, interval: SubscriptionRow["billing_interval"]): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  if (interval === "day") return isoDate(Date.UTC(year, month - 1, day + 1));
  if (interval === "week") return isoDate(Date.UTC(year, month - 1, day + 7));
  // Counted from 1, while Date.UTC counts from 0. A month above 12 is in the next year, as Date.UTC reads it.
  const dueMonth = month + (interval === "month" ? 1 : 12);
  // Day 0 of a month is the last day of the month before it.
  const lastDay = new Date(Date.UTC(year, dueMonth, 0)).getUTCDate();
  return isoDate(Date.UTC(year, dueMonth - 1, Math.min(day, lastDay)));
}

/** The number of payments per year for each billing interval. */
export const paymentsPerYear: Record<SubscriptionRow["billing_interval"], number> = {
  day: 365,
  week: 52,
  month: 12,
  year: 1,
};
