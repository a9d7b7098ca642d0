import type { ExportQuery } from "../../export/export-payments.ts";
import { serverLimits } from "../../limits.ts";
import { startOfDay } from "../../pages/zone-time.ts";

/** Reads the shop and the days of an export, which begin in the operator's time zone; null when the days cannot be read. */
export function readPeriod(query: Readonly<Record<string, string>>, zone: string): ExportQuery | null {
  const [from, until] = [startOfDay(query.from, zone), startOfDay(query.until, zone)];
  if (from === null || until === null) return null;
  return { from, until: until + serverLimits.dayMs, ...(query.store ? { storeId: query.store } : {}) };
}
