import { readConfig, readConfigFile } from "@tillkit/server/config";
import { configSchema, type WooCommerceConfig } from "./schema.ts";
import { findStoreConflicts } from "./store-conflicts.ts";

/**
 * Checks a configuration and reads secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each. It repeats no secret
 */
export function readWooCommerceConfig(
  input: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): WooCommerceConfig {
  return readConfig(input, { schema: configSchema, environment, mistakesOf: findStoreConflicts });
}

/** @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each */
export async function readWooCommerceConfigFile(
  file: string,
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<WooCommerceConfig> {
  return readWooCommerceConfig(await readConfigFile(file), environment);
}
