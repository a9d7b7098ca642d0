import { isJsonObject, type JsonObject } from "./json-fields.ts";

/**
 * The object of an answer that may come bare, as `{ data: {…} }` or as an array with exactly one row. `names` are the
 * fields of which an object of this kind has at least one. Null when no form fits; a longer array is never cut down.
 */
export function unwrapObject(answer: unknown, names: readonly string[]): JsonObject | null {
  const inside = isJsonObject(answer) ? answer.data : undefined;
  const forms = [answer, onlyItem(answer), inside, onlyItem(inside)].filter(isJsonObject);
  return forms.find((form) => names.some((name) => form[name] !== undefined && form[name] !== null)) ?? null;
}

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

/** One page of a list, whichever form the service gave it. */
export type ListPage<T> = {
  readonly items: readonly T[];
  /** Rows of the answer, those included that nothing could be read from. */
  readonly received: number;
  /** Cursor of the next page; null on the last one and where the form has none. */
  readonly nextCursor: string | null;
  /** Where the next page begins, for the form that counts by offset. */
  readonly nextOffset: number | null;
};

/** Reads the envelope, a bare array and `{ data, total, limit, offset }`. Null when the answer is no list. */
export function unwrapList<T>(answer: unknown, readItem: (item: unknown) => T | null): ListPage<T> | null {
  const rows = Array.isArray(answer) ? answer : isJsonObject(answer) ? answer.data : undefined;
  if (!Array.isArray(rows)) return null;
  const items = rows.map(readItem).filter((item) => item !== null);
  const envelope = isJsonObject(answer) ? answer : {};
  const cursor = envelope.next_cursor;
  return {
    items,
    received: rows.length,
    nextCursor: envelope.has_more !== false && typeof cursor === "string" && cursor !== "" ? cursor : null,
    nextOffset: nextOffset(envelope, rows.length),
  };
}

function nextOffset({ total, offset }: JsonObject, count: number): number | null {
  if (typeof total !== "number" || typeof offset !== "number" || count === 0) return null;
  return offset + count < total ? offset + count : null;
}
