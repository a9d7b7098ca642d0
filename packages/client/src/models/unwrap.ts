import { isJsonObject, type JsonObject, numberField } from "./json-fields.ts";

/**
 * The object in a response: bare, wrapped as `{ data: {…} }`, or the only item of an array (API.md#response-forms). The
 * wrappings can be nested, because some resources have a `data` of their own. Returns the outermost object that has at least
 * one of the fields `names`. Null when no form fits; an array with several items never yields its first one.
 */
export function unwrapObject(response: unknown, names: readonly string[]): JsonObject | null {
  const hasName = (object: JsonObject) => names.some((name) => object[name] !== undefined && object[name] !== null);
  let layer = response;
  for (let depth = 0; depth < MAX_LAYERS; depth += 1) {
    if (isJsonObject(layer) && hasName(layer)) return layer;
    layer = isJsonObject(layer) ? layer.data : onlyItem(layer);
  }
  return null;
}

/** A resource inside two objects with `data`, each of which can be in an array. */
const MAX_LAYERS = 5;

function onlyItem(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

/** One page of a list. */
export type ListPage<T> = {
  readonly items: readonly T[];
  /** Items in the response, including those that could not be parsed. */
  readonly received: number;
  /** Cursor of the next page; null on the last page, and for lists without cursors. */
  readonly nextCursor: string | null;
  /** Offset of the next page; null on the last page, and for lists without offsets. */
  readonly nextOffset: number | null;
  /** The service reports a further page and does not say how to read it. */
  readonly isCut: boolean;
  /** Items of the whole list as the service counts them; null where it does not. */
  readonly totalCount: number | null;
};

/** Parses the list envelope, a bare array, and `{ data, total, limit, offset }` (API.md#lists). Null for anything else. */
export function unwrapList<T>(response: unknown, parseItem: (item: unknown) => T | null): ListPage<T> | null {
  const envelope = isJsonObject(response) ? response : {};
  const rows = Array.isArray(response) ? response : envelope.data;
  // An error may come with status 200 and an empty `data`, which is no empty list.
  if (!Array.isArray(rows) || isJsonObject(envelope.error)) return null;
  const items = rows.map(parseItem).filter((item) => item !== null);
  const cursor = envelope.next_cursor;
  const nextCursor = envelope.has_more !== false && typeof cursor === "string" && cursor !== "" ? cursor : null;
  const next = { nextCursor, nextOffset: nextOffset(envelope, rows.length) };
  return {
    items,
    received: rows.length,
    ...next,
    isCut: envelope.has_more === true && next.nextCursor === null && next.nextOffset === null,
    totalCount: numberField(envelope, "total_count") ?? numberField(envelope, "total") ?? null,
  };
}

function nextOffset({ total, offset }: JsonObject, count: number): number | null {
  if (typeof total !== "number" || typeof offset !== "number" || count === 0) return null;
  return offset + count < total ? offset + count : null;
}
