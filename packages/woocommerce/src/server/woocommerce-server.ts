import { type BridgedServer, type BridgedServerOptions, createBridgedServer } from "@tillkit/php-bridge";
import { readWooCommerceConfig } from "../config/read-config.ts";
import type { WooCommerceConfig, WooCommerceConfigInput } from "../config/schema.ts";
import { SERVED_WOOCOMMERCE } from "./served-woocommerce.ts";

export type WooCommerceServerOptions = BridgedServerOptions;
export type WooCommerceServer = Omit<BridgedServer, "config"> & { readonly config: WooCommerceConfig };

/**
 * Creates the checkout server of one or more WooCommerce shops.
 * @throws CheckoutError `configuration_invalid`: one sentence for each mistake
 */
export async function createWooCommerceServer(
  input: WooCommerceConfigInput,
  options: WooCommerceServerOptions = {},
): Promise<WooCommerceServer> {
  const config = readWooCommerceConfig(input);
  return { ...(await createBridgedServer(SERVED_WOOCOMMERCE, config, options)), config };
}
