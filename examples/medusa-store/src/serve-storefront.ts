import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../storefront/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** What the page has to know: nothing that a shopper may not. */
export type StorefrontSettings = { readonly medusaUrl: string; readonly publishableKey: string };

/** The storefront's one page, at every address; its files; and `/settings.json`. */
export async function serveStorefront(port: number, settings: StorefrontSettings): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://storefront");
    if (pathname === "/settings.json") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(settings));
      return;
    }
    const file = /^\/[\w-]+\.(js|css)$/.test(pathname) ? pathname.slice(1) : "index.html";
    const content = await readFile(join(FOLDER, file)).catch(() => null);
    // The address of the page that a shopper returns to is a key to the order.
    const headers = { "content-type": TYPES[extname(file)] ?? "text/plain", "referrer-policy": "no-referrer" };
    response.writeHead(content === null ? 404 : 200, headers).end(content ?? "There is no such page.");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}
