import { tellRecovery } from "@tillkit/server";
import { readConfigFile } from "@tillkit/server/config";
import { createShopifyApp } from "../app/shopify-app.ts";
import { readShopifyConfig } from "../config/config.ts";

export type RecoverOptions = {
  readonly configFile: string;
  /** A little before the backup was made, in milliseconds since 1970. */
  readonly from: number;
  readonly print: (text: string) => void;
};

/**
 * The program `tillkit shopify recover`: after the database was restored from a backup, takes back what the service knows and
 * it does not, for every shop that is installed in it. An app server may run meanwhile.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence when the service did not tell all
 */
export async function recoverShopify({ configFile, from, print }: RecoverOptions): Promise<void> {
  const app = await createShopifyApp(readShopifyConfig(await readConfigFile(configFile)));
  try {
    await tellRecovery(app.checkout.recover(from), print);
  } finally {
    await app.close();
  }
}
