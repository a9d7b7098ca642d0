import { configMistakes, programShape, selfServiceSchema, storeShape } from "@tillkit/php-bridge";
import { readConfig, readConfigFile, withRole } from "@tillkit/server/config";
import { z } from "zod";

export const configSchema = z.strictObject({
  ...programShape,
  stores: z.array(z.strictObject(storeShape)).min(1, { error: "must name at least one shop" }),
});

export type PrestaShopConfigInput = z.input<typeof configSchema> | z.input<typeof selfServiceSchema>;
export type PrestaShopConfig = z.output<typeof configSchema> | z.output<typeof selfServiceSchema>;

/** @throws CheckoutError `configuration_invalid`: one sentence for each mistake, one line each. It repeats no secret */
export function readPrestaShopConfig(input: unknown): PrestaShopConfig {
  const mistakesOf = (config: PrestaShopConfig) => configMistakes(config, "PrestaShop");
  // A misspelt word is a mistake in this word, and no list that is missing.
  const isSelfService = typeof (input as { readonly stores?: unknown } | null)?.stores === "string";
  if (isSelfService) return readConfig(input, { schema: selfServiceSchema, mistakesOf });
  return readConfig(input, { schema: configSchema, mistakesOf });
}

/** @throws CheckoutError `configuration_invalid` */
export async function readPrestaShopConfigFile(file: string, role?: string): Promise<PrestaShopConfig> {
  return readPrestaShopConfig(withRole(await readConfigFile(file), role));
}
