import { readFile } from "node:fs/promises";
import { CheckoutError, codeOf } from "@tillkit/core";
import { type ConfigIssue, describeIssue } from "./describe-issue.ts";
import { resolveEnvironment } from "./resolve-environment.ts";

/** A zod schema, or an object with the same `safeParse`. */
export type ConfigSchema<Config> = {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Config }
    | { readonly success: false; readonly error: { readonly issues: readonly ConfigIssue[] } };
};

export type ConfigReading<Config> = {
  readonly schema: ConfigSchema<Config>;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Mistakes between keys that are valid by themselves; one sentence for each. */
  readonly mistakesOf: (config: Config) => readonly string[];
};

/**
 * Validates a configuration. `{ "env": "NAME" }` stands for the value of an environment variable.
 * @throws CheckoutError `configuration_invalid`: every mistake, one sentence and one line for each, without secrets
 */
export function readConfig<Config>(
  rawConfig: unknown,
  { schema, environment = process.env, mistakesOf }: ConfigReading<Config>,
): Config {
  const { value, missing } = resolveEnvironment(rawConfig, environment);
  if (missing.length > 0) throw invalid(missing);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(parsed.error.issues.flatMap(describeIssue));
  const mistakes = mistakesOf(parsed.data);
  if (mistakes.length > 0) throw invalid(mistakes);
  return parsed.data;
}

/** Reads the JSON of a configuration file without validating it. @throws CheckoutError `configuration_invalid` */
export async function readConfigFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalid([`The configuration ${file} cannot be read (${codeOf(error)}).`]);
  });
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would repeat a part of the file, which may be a secret.
    throw invalid([`The configuration ${file} is not valid JSON: check its commas and quotation marks.`]);
  }
}

function invalid(mistakes: readonly string[]): CheckoutError {
  return new CheckoutError("configuration_invalid", [...new Set(mistakes)].join("\n"));
}
