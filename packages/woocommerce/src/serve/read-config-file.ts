import { readFile } from "node:fs/promises";
import { CheckoutError, codeOf } from "@tillkit/core";
import { type CompanionConfig, readCompanionConfig } from "../config/config.ts";

/** @throws CheckoutError `configuration_invalid`, one sentence for each mistake, a line each */
export async function readCompanionConfigFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<CompanionConfig> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw invalid(`The configuration ${file} cannot be read (${codeOf(error)}).`);
  });
  return readCompanionConfig(parse(text, file), environment);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words would repeat a piece of the file, which may be a secret.
    throw invalid(`The configuration ${file} is no JSON: look for a comma or a quotation mark too many or too few.`);
  }
}

function invalid(message: string): CheckoutError {
  return new CheckoutError("configuration_invalid", message);
}
