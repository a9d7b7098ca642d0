import process from "node:process";

/** Shorter values, such as `true`, may stand in any variable. */
const MIN_LENGTH = 12;

/**
 * The environment variable that holds this value, so that a sentence can name what its reader has set, and never the value. Null: the value
 * comes from elsewhere.
 */
export function variableOf(
  value: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  if (value.length < MIN_LENGTH) return null;
  const names = Object.keys(environment).filter((name) => environment[name] === value);
  return names.sort()[0] ?? null;
}
