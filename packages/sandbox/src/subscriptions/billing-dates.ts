import { isoDate } from "../domain/clock.ts";
import type { SubscriptionRow } from "../storage/money-tables.ts";

/**
 * The same day one interval later, or the last day of a shorter month: a subscription of 31 January is billed on 28 February and on
 * 31 March. Dates are `YYYY-MM-DD`.
 * @param startDate when the subscription began: its day returns after a shorter month
 */
export function nextBillingDate(date: string, interval: SubscriptionRow["billing_interval"], startDate = date): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  if (interval === "day") return isoDate(Date.UTC(year, month - 1, day + 1));
  if (interval === "week") return isoDate(Date.UTC(year, month - 1, day + 7));
  // Counted from 1, while Date.UTC counts from 0. A month above 12 is in the next year, as Date.UTC reads it.
  const dueMonth = month + (interval === "month" ? 1 : 12);
  const startDay = Number(startDate.split("-")[2]);
  const billingDay = day === lastDayOf(year, month) ? Math.max(day, startDay) : day;
  return isoDate(Date.UTC(year, dueMonth - 1, Math.min(billingDay, lastDayOf(year, dueMonth))));
}

/** @param month from 1 */
function lastDayOf(year: number, month: number): number {
  // Day 0 of a month is the last day of the month before it.
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The number of payments per year for each billing interval. */
export const paymentsPerYear: Record<SubscriptionRow["billing_interval"], number> = {
  day: 365,
  week: 52,
  month: 12,
  year: 1,
};
