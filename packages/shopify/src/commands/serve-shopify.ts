import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createJsonLog, giveWay } from "@tillkit/runtime";
import { roleLines, serveUntilStopped } from "@tillkit/server";
import { readConfigFile, withRole } from "@tillkit/server/config";
import { createShopifyApp, type ShopifyApp } from "../app/shopify-app.ts";
import { readShopifyConfig } from "../config/config.ts";
import type { ShopifyConfig } from "../config/config-schema.ts";
import { PATHS } from "../config/paths.ts";
import { shopifyLimits } from "../limits.ts";
import { readTlsFiles } from "./read-tls-files.ts";
import { createTlsReload } from "./reload-tls.ts";

export type ServeOptions = {
  /** A JSON file with the keys that the README describes. */
  readonly configFile: string;
  /** `both`, `receiver` or `worker`. Without it the environment variable `TILLKIT_ROLE` decides, and without that the file. */
  readonly role?: string | undefined;
  /** Prints one JSON object as the first line on stdout, for programs that start the app server. */
  readonly json?: boolean;
  readonly print: (text: string) => void;
};

/**
 * The command `tillkit shopify serve`: runs the app server until Ctrl-C or SIGTERM.
 * @throws CheckoutError `configuration_invalid`; Error with one sentence when it cannot start
 */
export async function serveShopify({ configFile, role, json, print }: ServeOptions): Promise<void> {
  const config = readShopifyConfig(withRole(await readConfigFile(configFile), role));
  giveWay(config.role);
  const app = await createShopifyApp(config);
  const { server, stopReloads } = await openServer(config, app.listener).catch(async (error: unknown) => {
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
      print(json === true ? readyLine(app, baseUrl) : startMessage(app, baseUrl));
    },
    async close() {
      stopReloads();
      await app.close();
    },
  });
}

/**
 * Opens an HTTPS server where the configuration names TLS files, else an HTTP server. The HTTPS server asks every client for a
 * certificate and accepts clients without one, such as browsers; the session routes themselves refuse whoever is not Shopify.
 */
async function openServer(
  { listen: { tls }, logLevel }: ShopifyConfig,
  listener: RequestListener,
): Promise<OpenServer> {
  if (!tls) return { server: createServer(listener), stopReloads: () => undefined };
  const files = await readTlsFiles(tls);
  const { cert, key, ca } = files;
  const server = createSecureServer({ cert, key, ca: [...ca], requestCert: true, rejectUnauthorized: false }, listener);
  const reload = createTlsReload({ server, paths: tls, files, log: createJsonLog({ level: logLevel }) });
  const timer = setInterval(() => void reload(), shopifyLimits.tlsReloadEveryMs);
  return { server, stopReloads: () => clearInterval(timer) };
}

type OpenServer = { readonly server: Server; stopReloads(): void };

function readyLine({ config }: ShopifyApp, baseUrl: string): string {
  const { publicUrl, role, app } = config;
  return JSON.stringify({ baseUrl, publicUrl, role, mode: app.mode, apiVersion: app.apiVersion, pid: process.pid });
}

function startMessage({ config }: ShopifyApp, baseUrl: string): string {
  const { publicUrl, app } = config;
  return [
    `The Shopify app server is running (${app.mode} mode, API ${app.apiVersion}).`,
    ...roleLines(config.role),
    "",
    `  local      ${baseUrl}`,
    `  public     ${publicUrl}`,
    `  app        ${publicUrl}${PATHS.app}`,
    `  webhooks   ${publicUrl}${PATHS.webhooks}`,
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}
