/** A parsed JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A string union to which the service may add values: an unknown value is kept as it is. Comparing with a value that is not in
 * the union is a type error, so a misspelt literal is noticed.
 */
export type OpenEnum<T extends string> = T | UnknownValue;

/**
 * A value that this version does not know. At run time it is a string, and `String(value)` or a template converts it for the compiler.
 * Its type is not `string`, because the compiler would then allow comparing it with a misspelt literal.
 */
// biome-ignore lint/complexity/noBannedTypes: the methods of a string, without being comparable with every literal
export interface UnknownValue extends String {
  readonly [unknownValue]: true;
}

declare const unknownValue: unique symbol;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of `names` that holds a string with content; undefined when none does. */
export function stringField(object: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The first of `names` that holds a string with content, as one of the known values `T` or an unknown value. */
export function enumField<T extends string>(object: JsonObject, ...names: readonly string[]): OpenEnum<T> | undefined {
  return stringField(object, ...names) as OpenEnum<T> | undefined;
}

export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function booleanField(object: JsonObject, name: string): boolean | undefined {
  const value = object[name];
  return typeof value === "boolean" ? value : undefined;
}

const DIGITS = /^\d{1,15}$/;

/** A whole amount as a number, or as the same digits in a text. */
export function amountField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "string" && DIGITS.test(value) ? Number(value) : numberField(object, name);
}

const TIME_WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

/** An ISO 8601 time, in milliseconds since 1970. A time without a zone is UTC, whatever the zone of this machine. */
export function timeField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  if (typeof value !== "string") return undefined;
  const time = Date.parse(TIME_WITHOUT_ZONE.test(value) ? `${value}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}

export function objectField(object: JsonObject, name: string): JsonObject | undefined {
  const value = object[name];
  return isJsonObject(value) ? value : undefined;
}

export function stringListField(object: JsonObject, name: string): readonly string[] | undefined {
  const value = object[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}

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
