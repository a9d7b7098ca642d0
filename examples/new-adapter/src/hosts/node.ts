import { createServer, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { checkoutPath } from "../checkout.ts";
import type { Site } from "../pages.ts";

// #region mount
/** The shop and Tillkit's routes on plain Node. */
export function createHost({ pages, checkout }: Site): Server {
  const handleCheckout = getRequestListener(checkout.fetch, { overrideGlobalObjects: false });

  async function answer(method: string, path: string, query: string, response: ServerResponse): Promise<void> {
    const [, id, isPayment] = /^\/orders\/(\w+)(\/pay)?$/.exec(path) ?? [];
    if (method === "POST" && id !== undefined && isPayment) {
      return void response.writeHead(303, { Location: (await pages.pay(id)) ?? "/" }).end();
    }
    let page: string | null = null;
    if (method === "GET" && path === "/") page = await pages.home();
    if (method === "GET" && id !== undefined && !isPayment)
      page = await pages.order(id, new URLSearchParams(query).get("problem"));
    response.writeHead(page === null ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(page ?? pages.missing);
  }

  return createServer((request, response) => {
    const [path = "/", query = ""] = (request.url ?? "/").split("?");
    // Nothing has read the body yet, so a webhook keeps its exact bytes.
    if (path.startsWith(`${checkoutPath}/`)) return void handleCheckout(request, response);
    answer(request.method ?? "GET", path, query, response).catch(() => response.writeHead(500).end());
  });
}
// #endregion mount
