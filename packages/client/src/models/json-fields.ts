/** A parsed JSON object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A string union to which the service may add values: an unknown value is kept as it is. */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);

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

export function numberField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function booleanField(object: JsonObject, name: string): boolean | undefined {
  const value = object[name];
  return typeof value === "boolean" ? value : undefined;
}

/** An ISO 8601 time, in milliseconds since 1970. */
export function timeField(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
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
