import { listQuerySchema } from "@tillkit/client/schemas";
import { limits } from "../limits.ts";
import { Refusal, validationFailed } from "../service/refusal.ts";
import { validated } from "./validated.ts";

export type Page = { limit: number; offset: number };

/** @throws Refusal `validation_failed`, `invalid_cursor` */
export function readPage(query: URLSearchParams): Page {
  const given = query.get("limit");
  const { limit } = validated(listQuerySchema, given === null ? {} : { limit: given === "" ? "?" : given });
  return { limit: Math.min(limit ?? limits.pageSize, limits.pageSizeMax), offset: readCursor(query.get("cursor")) };
}

/** The envelope of every list: newest first, with an opaque cursor to the next page. */
export function listJson(items: readonly unknown[], total: number, { limit, offset }: Page): Record<string, unknown> {
  const end = offset + items.length;
  const hasMore = end < total;
  const cursor = Buffer.from(JSON.stringify({ offset: end })).toString("base64url");
  return {
    object: "list",
    data: items,
    has_more: hasMore,
    next_cursor: hasMore ? cursor : null,
    limit,
    total_count: total,
  };
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

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  const invalid = new Refusal("invalid_cursor", "Cursor is invalid");
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) throw invalid;
  try {
    const { offset } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Number.isSafeInteger(offset) && offset >= 0) return offset;
  } catch {}
  throw invalid;
}
