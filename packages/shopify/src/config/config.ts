import { roleMistakes } from "@tillkit/runtime";
import { readConfig } from "@tillkit/server/config";
import { type ShopifyConfig, shopifyConfigSchema } from "./config-schema.ts";
import { findInconsistencies } from "./inconsistencies.ts";

/**
 * Checks a configuration and takes secrets from the environment.
 * @throws CheckoutError `configuration_invalid` with one sentence and one line for each mistake; it repeats no secret
 */
export function readShopifyConfig(
  input: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): ShopifyConfig {
  return readConfig(input, { schema: shopifyConfigSchema, environment, mistakesOf });
}

function mistakesOf(config: ShopifyConfig): string[] {
  return [...roleMistakes(config.role, config.database), ...findInconsistencies(config)];
}
