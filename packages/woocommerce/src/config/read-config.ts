import { readConfig, readConfigFile } from "@tillkit/server/config";
import { type CompanionConfig, companionSchema } from "./schema.ts";
import { findStoreConflicts } from "./store-conflicts.ts";

/**
 * Checks a configuration and reads secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each. It repeats no secret
 */
export function readCompanionConfig(
  input: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): CompanionConfig {
  return readConfig(input, { schema: companionSchema, environment, mistakesOf: findStoreConflicts });
}

/** @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each */
export async function readCompanionConfigFile(
  file: string,
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<CompanionConfig> {
  return readCompanionConfig(await readConfigFile(file), environment);
}
