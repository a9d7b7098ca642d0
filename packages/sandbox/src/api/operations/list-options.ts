import { type RawBuilder, sql } from "kysely";
import type { Settings } from "../../domain/settings.ts";
import type { Service } from "../../runtime/service.ts";

/** Multiplying `seq` modulo this prime shuffles up to 10,007 rows. Of more rows, some share a place, and the newer row comes first. */
const SHUFFLE_PRIME = 10_007;
/** Another prime, so that neighbouring seeds give distant factors. */
const SEED_PRIME = 7919;
/** From the start of a day to its last millisecond. */
const LAST_MS_OF_DAY = 24 * 60 * 60 * 1000 - 1;

/** The order of the rows in a list, from the setting `lists.order`. */
export function rowOrder({ order, seed }: Settings["lists"]): RawBuilder<unknown> {
  if (order === "newest") return sql`seq desc`;
  if (order === "oldest") return sql`seq asc`;
  // At least 2 and below SHUFFLE_PRIME: a factor of 0 or 1 would not shuffle.
  const factor = 2 + ((seed * SEED_PRIME) % (SHUFFLE_PRIME - 3));
  return sql`(seq * ${factor}) % ${SHUFFLE_PRIME}, seq desc`;
}

/** Lists show rows that were created until this time. The setting `lists.lateRowsMs` delays new rows. */
export function visibleUntil({ clock, settings }: Service): number {
  const { lateRowsMs } = settings.lists;
  return lateRowsMs === 0 ? Number.MAX_SAFE_INTEGER : clock.now() - lateRowsMs;
}

/** The comma-separated values of a filter. Null means that the filter is not set. */
export function listFilter(query: URLSearchParams, name: string): readonly string[] | null {
  const values = query
    .get(name)
    ?.split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  return values === undefined || values.length === 0 ? null : values;
}

/**
 * The time of a filter, which its schema has checked, in milliseconds. Null means that the filter is not set. An `endDate` without a time
 * of day includes the whole day.
 */
export function timeFilter(query: URLSearchParams, name: "startDate" | "endDate"): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = Date.parse(text);
  return name === "endDate" && !text.includes("T") ? time + LAST_MS_OF_DAY : time;
}
