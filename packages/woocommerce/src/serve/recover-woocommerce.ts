import { tellRecovery } from "@tillkit/server";
import { createWooCommerceCompanion } from "../companion/companion.ts";
import { readCompanionConfigFile } from "./read-config-file.ts";

export type RecoverOptions = {
  readonly configFile: string;
  /** A little before the backup was made, in milliseconds since 1970. */
  readonly from: number;
  readonly print: (text: string) => void;
};

/**
 * The program `tillkit woocommerce recover`: after the database was restored from a backup, takes back what the service knows
 * and it does not. A companion may run meanwhile.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence when the service did not tell all
 */
export async function recoverWooCommerce({ configFile, from, print }: RecoverOptions): Promise<void> {
  const companion = await createWooCommerceCompanion(await readCompanionConfigFile(configFile));
  try {
    await tellRecovery(companion.checkout.recover(from), print);
  } finally {
    await companion.close();
  }
}
