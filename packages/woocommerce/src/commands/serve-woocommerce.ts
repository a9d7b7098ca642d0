import { createServer } from "node:http";
import { serveUntilStopped } from "@tillkit/server";
import { readWooCommerceConfigFile } from "../config/read-config.ts";
import { listedStores } from "../config/schema.ts";
import { createWooCommerceServer, type WooCommerceServer } from "../server/woocommerce-server.ts";
import { greeting } from "./greeting.ts";

export type ServeOptions = {
  /** A JSON file; the README lists its keys. */
  readonly configFile: string;
  /** `both`, `receiver` or `worker`; unless set that of the environment variable `TILLKIT_ROLE`, then that of the file. */
  readonly role?: string | undefined;
  /** Prints one JSON object as the first line on stdout, for programs that start the checkout server. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/**
 * Implements `tillkit woocommerce serve`: listens, prints the address, and runs until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence if it cannot start
 */
export async function serveWooCommerce({ configFile, role, json, print }: ServeOptions): Promise<void> {
  const config = await readWooCommerceConfigFile(configFile, role);
  const checkoutServer = await createWooCommerceServer(config);
  const unpaired = await checkoutServer.unpaired();
  await serveUntilStopped({
    server: createServer(checkoutServer.listener),
    listen: config.listen,
    started(address) {
      checkoutServer.start();
      const baseUrl = `http://${address}`;
      print(json === true ? readyLine(checkoutServer, baseUrl) : greeting(checkoutServer.config, baseUrl, unpaired));
    },
    close: checkoutServer.close,
  });
}

function readyLine({ config }: WooCommerceServer, baseUrl: string): string {
  const { publicUrl, role } = config;
  return JSON.stringify({
    baseUrl,
    publicUrl,
    role,
    stores: listedStores(config).map(({ id }) => id),
    pid: process.pid,
  });
}
