import { roleMistakes } from "@tillkit/runtime";
import { readConfig, readConfigFile, withRole } from "@tillkit/server/config";
import { admissionOf, configSchema, listedStores, selfServiceSchema, type WooCommerceConfig } from "./schema.ts";
import { findStoreConflicts } from "./store-conflicts.ts";

/**
 * Checks a configuration and reads secrets from the environment.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each. It repeats no secret
 */
export function readWooCommerceConfig(
  input: unknown,
  environment?: Readonly<Record<string, string | undefined>>,
): WooCommerceConfig {
  const isSelfService = (input as { readonly stores?: unknown } | null)?.stores === "self-service";
  if (isSelfService) return readConfig(input, { schema: selfServiceSchema, environment, mistakesOf });
  return readConfig(input, { schema: configSchema, environment, mistakesOf });
}

/** Nobody could approve, suspend or remove a shop without the operators' pages, and owners see their payments there. */
function selfServiceMistakes(config: WooCommerceConfig): string[] {
  if (admissionOf(config) === null || config.operators !== undefined) return [];
  return ['stores is "self-service", which needs the operators\' pages: give operators.tokens.'];
}

function mistakesOf(config: WooCommerceConfig): string[] {
  const shops = { ...config, stores: listedStores(config) };
  return [...roleMistakes(config.role, config.database), ...findStoreConflicts(shops), ...selfServiceMistakes(config)];
}

/**
 * @param role `both`, `receiver` or `worker`; unless set that of `TILLKIT_ROLE`, then that of the file
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each
 */
export async function readWooCommerceConfigFile(file: string, role?: string): Promise<WooCommerceConfig> {
  return readWooCommerceConfig(withRole(await readConfigFile(file), role));
}
