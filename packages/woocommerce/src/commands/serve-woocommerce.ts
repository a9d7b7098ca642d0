import { type ServeOptions, serveBridged } from "@tillkit/php-bridge";
import { readWooCommerceConfigFile } from "../config/read-config.ts";
import { SERVED_WOOCOMMERCE } from "../server/served-woocommerce.ts";

/**
 * Implements `tillkit woocommerce serve`: listens, prints the address, and runs until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence if it cannot start
 */
export async function serveWooCommerce({ configFile, role, ...options }: ServeOptions): Promise<void> {
  await serveBridged(SERVED_WOOCOMMERCE, await readWooCommerceConfigFile(configFile, role), options);
}
