import { printRecovery } from "@tillkit/server";
import { readConfigFile } from "@tillkit/server/config";
import { createShopifyApp } from "../app/shopify-app.ts";
import { readShopifyConfig } from "../config/config.ts";

export type RecoverOptions = {
  readonly configFile: string;
  /** A time shortly before the backup, in milliseconds since 1970. */
  readonly since: number;
  readonly print: (text: string) => void;
};

/**
 * The command `tillkit shopify recover`: after the database was restored from a backup, it recovers the payments that the service
 * has and the database lacks, for every shop in the database. An app server may run at the same time.
 * @throws CheckoutError `configuration_invalid`; Error with a message for the terminal when the search at the service failed for a
 * key, or no shop has a key
 */
export async function recoverShopify({ configFile, since, print }: RecoverOptions): Promise<void> {
  const app = await createShopifyApp(readShopifyConfig(await readConfigFile(configFile)));
  try {
    await printRecovery(app.checkout.recover(since), print);
  } finally {
    await app.close();
  }
}
