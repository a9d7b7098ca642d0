import type { ExportQuery } from "../../export/export-payments.ts";
import { endOfDay, startOfDay } from "../../pages/zone-time.ts";

/** Reads the shop and the days of an export, which begin in the operator's time zone; null when the days cannot be read. */
export function readPeriod(query: Readonly<Record<string, string>>, zone: string): ExportQuery | null {
  const [from, until] = [startOfDay(query.from, zone), endOfDay(query.until, zone)];
  if (from === null || until === null) return null;
  return { from, until, ...(query.store ? { storeId: query.store } : {}) };
}
