/** A JSON object as it came: nothing about its fields is known yet. */
export type Row = Readonly<Record<string, unknown>>;

/** A value of a closed list today; the service may add to it, and a value that is new to us survives. */
export type Known<T extends string> = T | (string & Record<never, never>);

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The first of `names` that holds a text; undefined when none does. */
export function text(row: Row, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function number(row: Row, name: string): number | undefined {
  const value = row[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function flag(row: Row, name: string): boolean | undefined {
  const value = row[name];
  return typeof value === "boolean" ? value : undefined;
}

/** An ISO time as milliseconds since 1970. */
export function instant(row: Row, name: string): number | undefined {
  const value = row[name];
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

export function row(parent: Row, name: string): Row | undefined {
  const value = parent[name];
  return isRow(value) ? value : undefined;
}

export function texts(parent: Row, name: string): readonly string[] | undefined {
  const value = parent[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : undefined;
}
