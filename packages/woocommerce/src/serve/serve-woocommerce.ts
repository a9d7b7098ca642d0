import { createServer } from "node:http";
import { serveUntilStopped } from "@tillkit/server";
import { createWooCommerceCompanion, type WooCommerceCompanion } from "../companion/companion.ts";
import { endpointOf } from "../config/credentials.ts";
import { readCompanionConfigFile } from "./read-config-file.ts";

export type ServeOptions = {
  /** A JSON file; the README tells its keys. */
  readonly configFile: string;
  /** The first line on stdout is one JSON object, for programs that start the companion. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/**
 * The program `tillkit woocommerce serve`: listens, says where, and runs until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence when it cannot start
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
    `  here     ${baseUrl}`,
    `  public   ${config.publicUrl}`,
    "",
    ...shops,
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}
