import { listQuerySchema } from "@tillkit/client/schemas";
import { ApiError } from "../domain/api-error.ts";
import { limits } from "../domain/limits.ts";
import { readQuery } from "./read-query.ts";

/** `isShifted`: the rows that `shiftBy` simulates were already added to or removed from this list. */
export type Page = { limit: number; offset: number; isShifted?: boolean };

/**
 * Reads `limit` and `cursor`. `shiftBy` simulates rows that are added between the first and the second page. A negative
 * number simulates removed rows.
 * @throws ApiError `validation_failed`, `invalid_cursor`
 */
export function readPage(query: URLSearchParams, shiftBy = 0): Page {
  const { limit, cursor: cursorText } = readQuery(listQuerySchema, query);
  const cursor = readCursor(cursorText ?? null);
  const isShifted = cursor !== null && shiftBy !== 0;
  // Rows that were added at the start of the list push all others down, so this page begins as many rows earlier.
  const shift = isShifted && !cursor.isShifted ? shiftBy : 0;
  return {
    limit: Math.min(limit ?? limits.pageSize, limits.pageSizeMax),
    offset: Math.max(0, (cursor?.offset ?? 0) - shift),
    isShifted,
  };
}

/** The envelope of every list, with an opaque cursor to the next page. */
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

function readCursor(cursor: string | null): { offset: number; isShifted: boolean } | null {
  if (cursor === null) return null;
  const invalid = new ApiError("invalid_cursor", "Cursor is invalid");
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) throw invalid;
  try {
    const { offset, isShifted } = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Number.isSafeInteger(offset) && offset >= 0) return { offset, isShifted: isShifted === true };
  } catch {}
  throw invalid;
}
