/** A JSON object as it came: nothing about its fields is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A value of a closed list today; the service may add to it, and a value that is new to us survives. */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of `names` that holds a text; undefined when none does. */
export function stringField(row: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function numberField(row: JsonObject, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function booleanField(row: JsonObject, name: string): boolean | undefined {
  const value = row[name];
  return typeof value === "boolean" ? value : undefined;
}

/** An ISO time as milliseconds since 1970. */
export function timeField(row: JsonObject, name: string): number | undefined {
  const value = row[name];
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

export function objectField(parent: JsonObject, name: string): JsonObject | undefined {
  const value = parent[name];
  return isJsonObject(value) ? value : undefined;
}

export function stringListField(parent: JsonObject, name: string): readonly string[] | undefined {
  const value = parent[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
