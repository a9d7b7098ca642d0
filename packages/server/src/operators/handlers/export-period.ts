import type { ExportQuery } from "../../export/export-payments.ts";
import { endOfDay, startOfDay } from "../../pages/zone-time.ts";
import type { PageContext } from "../pages/page-context.ts";

type PeriodContext = Pick<PageContext, "zone" | "mode">;

/** Reads the shop and the days of an export, which begin in the operator's time zone; null when the days cannot be read. */
export function readPeriod(query: Readonly<Record<string, string>>, { zone, mode }: PeriodContext): ExportQuery | null {
  const [from, until] = [startOfDay(query.from, zone), endOfDay(query.until, zone)];
  if (from === null || until === null) return null;
  return { from, until, environment: mode, ...(query.store ? { storeId: query.store } : {}) };
}
