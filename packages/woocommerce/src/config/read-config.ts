import { configMistakes, selfServiceSchema } from "@tillkit/php-bridge";
import { readConfig, readConfigFile, withRole } from "@tillkit/server/config";
import { type ConfiguredStore, configSchema, type WooCommerceConfig } from "./schema.ts";

/**
 * Checks a configuration and reads secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each. It repeats no secret
 */
export function readWooCommerceConfig(
  input: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): WooCommerceConfig {
  // A misspelt word is a mistake in this word, and no list that is missing.
  const isSelfService = typeof (input as { readonly stores?: unknown } | null)?.stores === "string";
  if (isSelfService) return readConfig(input, { schema: selfServiceSchema, environment, mistakesOf });
  return readConfig(input, { schema: configSchema, environment, mistakesOf });
}

function mistakesOf(config: WooCommerceConfig): string[] {
  return configMistakes(config, "WordPress", conflictsInStore);
}

function conflictsInStore(store: ConfiguredStore, here: string): string[] {
  const hasKey = store.consumerKey !== undefined;
  if (hasKey !== (store.consumerSecret !== undefined))
    return [`${here} has one half of a REST key: give both consumerKey and consumerSecret, or neither.`];
  if (hasKey || store.writeOrdersBy !== "rest") return [];
  return [
    `${here}.writeOrdersBy is "rest", which needs a REST key: give consumerKey and consumerSecret, or use "auto".`,
  ];
}

/**
 * @param role `both`, `receiver` or `worker`; unless set that of `TILLKIT_ROLE`, then that of the file
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each
 */
export async function readWooCommerceConfigFile(file: string, role?: string): Promise<WooCommerceConfig> {
  return readWooCommerceConfig(withRole(await readConfigFile(file), role));
}
