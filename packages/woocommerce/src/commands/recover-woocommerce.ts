import { type RecoverOptions, recoverBridged } from "@tillkit/php-bridge";
import { readWooCommerceConfigFile } from "../config/read-config.ts";
import { SERVED_WOOCOMMERCE } from "../server/served-woocommerce.ts";

/**
 * Implements `tillkit woocommerce recover`: restores payments and refunds that the service has and a database restored from a
 * backup lacks. A checkout server may run at the same time.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence if the service did not return everything
 */
export async function recoverWooCommerce({ configFile, ...options }: RecoverOptions): Promise<void> {
  await recoverBridged(SERVED_WOOCOMMERCE, await readWooCommerceConfigFile(configFile), options);
}
