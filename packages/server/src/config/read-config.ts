import { readFile } from "node:fs/promises";
import { CheckoutError, codeOf } from "@tillkit/core";
import { resolveEnvironment } from "./resolve-environment.ts";
import { type ConfigIssue, sentencesOf } from "./sentence.ts";

/** A zod schema, or what answers like one. */
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
  /** What is wrong between keys that are each right. One sentence a mistake. */
  readonly mistakesOf: (config: Config) => readonly string[];
};

/**
 * Checks a configuration and takes what stands there as `{ "env": "NAME" }` from the environment.
 * @throws CheckoutError `configuration_invalid`: every mistake, one sentence each, a line each. No secret is repeated in it
 */
export function readConfig<Config>(
  written: unknown,
  { schema, environment = process.env, mistakesOf }: ConfigReading<Config>,
): Config {
  const { value, missing } = resolveEnvironment(written, environment);
  if (missing.length > 0) throw invalid(missing);
  const read = schema.safeParse(value);
  if (!read.success) throw invalid(read.error.issues.flatMap(sentencesOf));
  const mistakes = mistakesOf(read.data);
  if (mistakes.length > 0) throw invalid(mistakes);
  return read.data;
}

/** The JSON of a configuration file, not checked yet. @throws CheckoutError `configuration_invalid` */
export async function readConfigFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalid([`The configuration ${file} cannot be read (${codeOf(error)}).`]);
  });
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words would repeat a piece of the file, which may be a secret.
    throw invalid([`The configuration ${file} is no JSON: look for a comma or a quotation mark too many or too few.`]);
  }
}

/** `https://`, or `http://` of this machine, without ? and #. */
export function isConfigAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const bare = [search, hash, username, password].every((part) => part === "");
  return bare && (protocol === "https:" || (protocol === "http:" && isLoopback(hostname)));
}

function invalid(mistakes: readonly string[]): CheckoutError {
  return new CheckoutError("configuration_invalid", [...new Set(mistakes)].join("\n"));
}

/** A name or address of this machine, as the host of a URL. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
