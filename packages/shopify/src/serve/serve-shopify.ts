import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { serveUntilStopped } from "@tillkit/server";
import { readConfigFile } from "@tillkit/server/config";
import { PATHS } from "../app/paths.ts";
import { createShopifyApp, type ShopifyApp } from "../app/shopify-app.ts";
import { readShopifyConfig, type ShopifyConfig } from "../config/config.ts";
import { readTlsFiles } from "./tls-files.ts";

export type ServeOptions = {
  /** A JSON file; the README tells its keys. */
  readonly configFile: string;
  /** The first line on stdout is one JSON object, for programs that start the app server. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/**
 * The program `tillkit shopify serve`: listens, says where, and runs until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence when it cannot start
 */
export async function serveShopify({ configFile, json, print }: ServeOptions): Promise<void> {
  const config = readShopifyConfig(await readConfigFile(configFile));
  const app = await createShopifyApp(config);
  const server = await openServer(config, app.listener).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  const scheme = config.listen.tls ? "https" : "http";
  await serveUntilStopped({
    server,
    listen: config.listen,
    started(address) {
      app.start();
      const baseUrl = `${scheme}://${address}`;
      print(json === true ? readyLine(app, baseUrl) : greeting(app, baseUrl));
    },
    close: app.close,
  });
}

/**
 * With TLS of its own it asks every visitor for a certificate and lets those in who have none: only the session routes want
 * Shopify's, and each looks for itself.
 */
async function openServer({ listen: { tls } }: ShopifyConfig, listener: RequestListener): Promise<Server> {
  if (!tls) return createServer(listener);
  const { cert, key, ca } = await readTlsFiles(tls);
  return createSecureServer({ cert, key, ca: [...ca], requestCert: true, rejectUnauthorized: false }, listener);
}

function readyLine({ config }: ShopifyApp, baseUrl: string): string {
  const { publicUrl, app } = config;
  return JSON.stringify({ baseUrl, publicUrl, mode: app.mode, apiVersion: app.apiVersion, pid: process.pid });
}

function greeting({ config }: ShopifyApp, baseUrl: string): string {
  const { publicUrl, app } = config;
  return [
    `The Shopify app server is running (${app.mode} mode, API ${app.apiVersion}).`,
    "",
    `  here       ${baseUrl}`,
    `  public     ${publicUrl}`,
    `  app        ${publicUrl}${PATHS.app}`,
    `  webhooks   ${publicUrl}${PATHS.webhooks}`,
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}
