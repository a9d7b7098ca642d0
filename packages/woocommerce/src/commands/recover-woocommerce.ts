import { printRecovery } from "@tillkit/server";
import { readWooCommerceConfigFile } from "../config/read-config.ts";
import { createWooCommerceServer } from "../server/woocommerce-server.ts";

export type RecoverOptions = {
  readonly configFile: string;
  /** A moment shortly before the backup was made, in milliseconds since 1970. */
  readonly since: number;
  readonly print: (text: string) => void;
};

/**
 * Implements `tillkit woocommerce recover`: restores payments and refunds that the service has and a database restored from a
 * backup lacks. A checkout server may run at the same time.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence if the service did not return everything
 */
export async function recoverWooCommerce({ configFile, since, print }: RecoverOptions): Promise<void> {
  const server = await createWooCommerceServer(await readWooCommerceConfigFile(configFile));
  try {
    await printRecovery(server.checkout.recover(since), print);
  } finally {
    await server.close();
  }
}
