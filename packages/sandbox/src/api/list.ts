import { listQuerySchema } from "@tillkit/client/schemas";
import { type RawBuilder, sql } from "kysely";
import { limits } from "../limits.ts";
import { Refusal, validationFailed } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import type { Settings } from "../service/settings.ts";
import { validated } from "./validated.ts";

/** `isShifted`: rows have already appeared, or vanished, between the pages of this reading. */
export type Page = { limit: number; offset: number; isShifted?: boolean };

/**
 * `shiftBy`: so many rows appear before the second page is read, and push others into it; below 0, so many vanish.
 * @throws Refusal `validation_failed`, `invalid_cursor`
 */
export function readPage(query: URLSearchParams, shiftBy = 0): Page {
  const given = query.get("limit");
  const { limit } = validated(listQuerySchema, given === null ? {} : { limit: given === "" ? "?" : given });
  const cursor = readCursor(query.get("cursor"));
  const isShifted = cursor !== null && shiftBy !== 0;
  const moved = isShifted && !cursor.isShifted ? shiftBy : 0;
  return {
    limit: Math.min(limit ?? limits.pageSize, limits.pageSizeMax),
    offset: Math.max(0, (cursor?.offset ?? 0) - moved),
    isShifted,
  };
}

/** The envelope of every list: newest first, with an opaque cursor to the next page. */
export function listJson(items: readonly unknown[], total: number, page: Page): Record<string, unknown> {
  const { limit, offset, isShifted = false } = page;
  const end = offset + items.length;
  const hasMore = end < total;
  const cursor = Buffer.from(JSON.stringify({ offset: end, ...(isShifted && { isShifted }) })).toString("base64url");
  return {
    object: "list",
    data: items,
    has_more: hasMore,
    next_cursor: hasMore ? cursor : null,
    limit,
    total_count: total,
  };
}

/** The order of a list's rows as the setting `lists.order` has it. */
export function orderOf({ order, seed }: Settings["lists"]): RawBuilder<unknown> {
  if (order === "newest") return sql`seq desc`;
  // A multiple modulo a prime gives every row another place, the same for the same seed.
  const factor = 2 + ((seed * 7919) % 10_004);
  return order === "oldest" ? sql`seq asc` : sql`(seq * ${factor}) % 10007, seq desc`;
}

/** The newest time of which a list shows rows: the setting `lists.lateRowsMs`. */
export function listedUntil({ clock, settings }: Service): number {
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

function readCursor(cursor: string | null): { offset: number; isShifted: boolean } | null {
  if (cursor === null) return null;
  const invalid = new Refusal("invalid_cursor", "Cursor is invalid");
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) throw invalid;
  try {
    const { offset, isShifted } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Number.isSafeInteger(offset) && offset >= 0) return { offset, isShifted: isShifted === true };
  } catch {}
  throw invalid;
}
