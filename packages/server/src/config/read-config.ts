import { readFile } from "node:fs/promises";
import { codeOf } from "@tillkit/core";
import { type ConfigSchema, invalidConfiguration, parseConfig } from "@tillkit/runtime";
import { resolveEnvironment } from "./resolve-environment.ts";

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
  if (missing.length > 0) throw invalidConfiguration(missing);
  const config = parseConfig(schema, value);
  const mistakes = mistakesOf(config);
  if (mistakes.length > 0) throw invalidConfiguration(mistakes);
  return config;
}

/** Reads the JSON of a configuration file without validating it. @throws CheckoutError `configuration_invalid` */
export async function readConfigFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalidConfiguration([`The configuration ${file} cannot be read (${codeOf(error)}).`]);
  });
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would repeat a part of the file, which may be a secret.
    throw invalidConfiguration([`The configuration ${file} is not valid JSON: check its commas and quotation marks.`]);
  }
}
