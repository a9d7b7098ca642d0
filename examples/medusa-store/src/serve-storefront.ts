import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGES = fileURLToPath(new URL("../storefront/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** The settings of the page, which every shopper can read. */
export type StorefrontSettings = { readonly medusaUrl: string; readonly publishableKey: string };

type Storefront = {
  readonly port: number;
  /** The folder of the installed store. The plugin's storefront helper is served unchanged from there. */
  readonly store: string;
  readonly settings: StorefrontSettings;
};

/** Serves the storefront's page at every URL, and the files of the storefront and of the plugin. */
export async function serveStorefront({ port, store, settings }: Storefront): Promise<Server> {
  const plugin = join(store, "node_modules", "@tillkit", "medusa", "dist");
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://storefront");
    if (pathname === "/settings.json") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(settings));
      return;
    }
    const [, folder, file = "index.html"] = /^\/(tillkit\/)?([\w-]+\.(?:js|css))$/.exec(pathname) ?? [];
    const content = await readFile(join(folder === undefined ? PAGES : plugin, file)).catch(() => null);
    // The return URL gives access to the order, so it must not be sent as a referrer.
    const headers = { "content-type": TYPES[extname(file)] ?? "text/plain", "referrer-policy": "no-referrer" };
    response.writeHead(content === null ? 404 : 200, headers).end(content ?? "There is no such file.");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}

export async function closeStorefront(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
