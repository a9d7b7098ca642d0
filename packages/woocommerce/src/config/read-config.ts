import { roleMistakes } from "@tillkit/runtime";
import { readConfig, readConfigFile, withRole } from "@tillkit/server/config";
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
  return readConfig(input, { schema: configSchema, environment, mistakesOf });
}

function mistakesOf(config: WooCommerceConfig): string[] {
  return [...roleMistakes(config.role, config.database), ...findStoreConflicts(config)];
}

/**
 * @param role `both`, `receiver` or `worker`; unless set that of `TILLKIT_ROLE`, then that of the file
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each
 */
export async function readWooCommerceConfigFile(file: string, role?: string): Promise<WooCommerceConfig> {
  return readWooCommerceConfig(withRole(await readConfigFile(file), role));
}
