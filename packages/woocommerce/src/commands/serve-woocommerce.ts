import { createServer } from "node:http";
import { serveUntilStopped } from "@tillkit/server";
import { createWooCommerceCompanion, type WooCommerceCompanion } from "../companion/companion.ts";
import { endpointOf } from "../config/credentials.ts";
import { readCompanionConfigFile } from "../config/read-config.ts";

export type ServeOptions = {
  /** A JSON file; the README lists its keys. */
  readonly configFile: string;
  /** Prints one JSON object as the first line on stdout, for programs that start the companion. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/**
 * Implements `tillkit woocommerce serve`: listens, prints the address, and runs until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence if it cannot start
 */
export async function serveWooCommerce({ configFile, json, print }: ServeOptions): Promise<void> {
  const config = await readCompanionConfigFile(configFile);
  const companion = await createWooCommerceCompanion(config);
  await serveUntilStopped({
    server: createServer(companion.listener),
    listen: config.listen,
    started(address) {
      companion.start();
      const baseUrl = `http://${address}`;
      print(json === true ? readyLine(companion, baseUrl) : greeting(companion, baseUrl));
    },
    close: companion.close,
  });
}

function readyLine({ config }: WooCommerceCompanion, baseUrl: string): string {
  const { publicUrl, stores } = config;
  return JSON.stringify({ baseUrl, publicUrl, stores: stores.map(({ id }) => id), pid: process.pid });
}

function greeting({ config }: WooCommerceCompanion, baseUrl: string): string {
  const shops = config.stores.map(
    (store) => `  ${store.id}   ${store.url}\n      webhooks   ${config.publicUrl}/hooks/service/${endpointOf(store)}`,
  );
  return [
    "The WooCommerce companion is running.",
    "",
    `  local    ${baseUrl}`,
    `  public   ${config.publicUrl}`,
    "",
    ...shops,
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}
