import { type RawBuilder, sql } from "kysely";
import { validationFailed } from "../../domain/api-error.ts";
import type { Settings } from "../../domain/settings.ts";
import type { Service } from "../../runtime/service.ts";

/** The order of a list's rows as the setting `lists.order` has it. */
export function rowOrder({ order, seed }: Settings["lists"]): RawBuilder<unknown> {
  if (order === "newest") return sql`seq desc`;
  // A multiple modulo a prime gives every row another place, the same for the same seed.
  const factor = 2 + ((seed * 7919) % 10_004);
  return order === "oldest" ? sql`seq asc` : sql`(seq * ${factor}) % 10007, seq desc`;
}

/** The newest time of which a list shows rows: the setting `lists.lateRowsMs`. */
export function visibleUntil({ clock, settings }: Service): number {
  const { lateRowsMs } = settings.lists;
  return lateRowsMs === 0 ? Number.MAX_SAFE_INTEGER : clock.now() - lateRowsMs;
}

/** The values of a filter that takes several, separated by commas; null: no filter. */
export function listFilter(query: URLSearchParams, name: string): readonly string[] | null {
  const values = query
    .get(name)
    ?.split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  return values === undefined || values.length === 0 ? null : values;
}

/** A day names all of itself: as an end, it ends with it. @throws Refusal `validation_failed` */
export function timeFilter(query: URLSearchParams, name: "startDate" | "endDate"): number | null {
  const text = query.get(name);
  if (text === null || text === "") return null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = Date.parse(text);
  if (!(isDay || /^\d{4}-\d{2}-\d{2}T/.test(text)) || Number.isNaN(time)) {
    throw validationFailed({ [name]: ["must be an ISO 8601 date or time"] });
  }
  return isDay && name === "endDate" ? time + 86_399_999 : time;
}
