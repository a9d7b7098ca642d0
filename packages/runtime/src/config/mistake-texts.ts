/** What zod reports to an error map. `input` is undefined where the value is missing. */
export type SchemaMistake = {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
};

/** What is wrong with a value, after its name. A sentence that the schema has for its own rule takes precedence. */
export function explainMistake({ code, input, expected = "", ...limits }: SchemaMistake): string | undefined {
  const { values = [], minimum, maximum } = limits;
  const kind = KINDS[expected] ?? `a ${expected}`;
  switch (code) {
    case "invalid_type":
      return input === undefined ? `is missing: it must be ${kind}` : `must be ${kind}`;
    case "invalid_value":
      return `must be ${values.map((value) => `"${String(value)}"`).join(" or ")}`;
    case "too_big":
      return `must be ${maximum} or less`;
    case "too_small":
      return `must be ${minimum} or more`;
    case "invalid_union":
      return "has a value that is not allowed";
    default:
      return undefined;
  }
}

export function explainUnknownKey(newName: string | undefined): string {
  return newName === undefined ? "is unknown: check its spelling" : `is now called ${newName}: rename it`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  int: "a whole number",
  number: "a whole number",
  array: "a list in [ ]",
  object: "an object in { }",
};
