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
