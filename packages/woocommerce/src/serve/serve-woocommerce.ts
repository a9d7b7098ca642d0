import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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
  const stopped = stopSignal();
  const config = await readCompanionConfigFile(configFile);
  const companion = await createWooCommerceCompanion(config);
  const server = createServer(companion.listener);
  try {
    await listen(server, config.listen);
  } catch (error) {
    await companion.close();
    throw error;
  }
  companion.start();
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://${config.listen.host.includes(":") ? `[${config.listen.host}]` : config.listen.host}:${port}`;
  print(json === true ? readyLine(companion, baseUrl) : greeting(companion, baseUrl));
  await stopped;
  // What is under way is answered; nobody new is let in.
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await companion.close();
  server.closeAllConnections();
  await closed;
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === "EADDRINUSE" ? "is taken: stop what listens there, or set another listen.port" : cause.code;
    throw new Error(`Port ${port} on ${host} ${why}.`, { cause });
  });
}

/** A second signal changes nothing: Ctrl-C reaches every process of a terminal. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGINT", () => resolve());
    process.on("SIGTERM", () => resolve());
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
