import { CheckoutError } from "@tillkit/core";
import { explainMistake, explainUnknownKey, type SchemaMistake } from "./mistake-texts.ts";

/** A zod schema, or an object with the same `safeParse`. */
export type ConfigSchema<Config> = {
  safeParse(
    value: unknown,
    params: { readonly error: (mistake: SchemaMistake) => string | undefined },
  ):
    | { readonly success: true; readonly data: Config }
    | { readonly success: false; readonly error: { readonly issues: readonly ConfigIssue[] } };
};

/** The fields of a zod issue that are read. */
export type ConfigIssue = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
};

/** `subject` precedes each name, such as `Tillkit option `. `newNames`: of keys that were renamed. */
type Naming = { readonly subject?: string; readonly newNames?: Readonly<Record<string, string>> };

/**
 * Validates a configuration and fills in defaults.
 * @throws CheckoutError `configuration_invalid`: every mistake, one sentence and one line for each, without any value: it may be a secret
 */
export function parseConfig<Config>(schema: ConfigSchema<Config>, value: unknown, naming: Naming = {}): Config {
  const parsed = schema.safeParse(value, { error: explainMistake });
  if (parsed.success) return parsed.data;
  throw invalidConfiguration(parsed.error.issues.flatMap((issue) => describe(issue, naming)));
}

export function invalidConfiguration(mistakes: readonly string[]): CheckoutError {
  return new CheckoutError("configuration_invalid", [...new Set(mistakes)].join("\n"));
}

function describe({ path, message, keys }: ConfigIssue, { subject = "", newNames = {} }: Naming): readonly string[] {
  if (keys === undefined) return [`${path.length === 0 ? "The configuration" : subject + nameOf(path)} ${message}.`];
  return keys.map((key) => `${subject}${nameOf([...path, key])} ${explainUnknownKey(newNames[key])}.`);
}

function nameOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "");
}
