import { type RecoverOptions, recoverBridged, type ServeOptions, serveBridged } from "@tillkit/php-bridge";
import { readPrestaShopConfigFile } from "./config.ts";
import { SERVED_PRESTASHOP } from "./served-prestashop.ts";

/** Runs the checkout server of PrestaShop shops until Ctrl-C or SIGTERM. @throws CheckoutError `configuration_invalid`; Error with one sentence */
export async function servePrestaShop({ configFile, role, ...options }: ServeOptions): Promise<void> {
  await serveBridged(SERVED_PRESTASHOP, await readPrestaShopConfigFile(configFile, role), options);
}

/** Restores what a database lacks that was restored from a backup. @throws CheckoutError `configuration_invalid`; Error with one sentence */
export async function recoverPrestaShop({ configFile, ...options }: RecoverOptions): Promise<void> {
  await recoverBridged(SERVED_PRESTASHOP, await readPrestaShopConfigFile(configFile), options);
}
