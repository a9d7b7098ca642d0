import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fillOrder, openShopApi, readProducts } from "./shop-api.ts";

type Storefront = { readonly port: number; readonly vendureUrl: string };

/**
 * A storefront of two pages without a script: the products of both channels with a button each, and the page to which a shopper
 * returns. The return page shows the order's code and the parameter `payment` of its address. Anyone can change that parameter,
 * so a storefront that acts on a payment must ask Vendure for the order.
 */
export async function serveStorefront({ port, vendureUrl }: Storefront): Promise<Server> {
  const server = createServer((request, response) => {
    answer(vendureUrl, request, response).catch((error: unknown) => {
      response.writeHead(500, HTML).end(page(`<p>${escapeHtml(error instanceof Error ? error.message : "Error")}</p>`));
    });
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

const HTML = { "content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer" };
/** Vendure counts every currency in hundredths. */
const HUNDREDTHS = 100;

async function answer(vendureUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://storefront");
  if (request.method === "POST" && pathname === "/buy") {
    const location = await buy(vendureUrl, searchParams.get("variant") ?? "", searchParams.get("channel"));
    response.writeHead(303, { location }).end();
    return;
  }
  const code = /^\/orders\/(\w+)$/.exec(pathname)?.[1];
  const body = code === undefined ? await listProducts(vendureUrl) : orderPage(code, searchParams.get("payment"));
  response.writeHead(200, HTML).end(page(body));
}

/**
 * Opens an order with this product, and the hosted checkout page on which the shopper pays it.
 *
 * @returns the address of the hosted checkout page
 * @throws Error with the reason for the shopper
 */
export async function buy(vendureUrl: string, variantId: string, channel: string | null): Promise<string> {
  const shopApi = openShopApi(vendureUrl, channel);
  await fillOrder(shopApi, variantId);
  type Answer = { createTillkitCheckout: { url?: string; message?: string } };
  const { createTillkitCheckout: checkout } = await shopApi<Answer>(
    "mutation { createTillkitCheckout { ... on TillkitCheckout { url } ... on TillkitCheckoutError { message } } }",
  );
  if (checkout.url !== undefined) return checkout.url;
  throw new Error(checkout.message);
}

async function listProducts(vendureUrl: string): Promise<string> {
  const rows = [null, "us"].map(async (channel) => {
    const products = await readProducts(openShopApi(vendureUrl, channel));
    return products.map(({ name, variants: [variant] }) => {
      const price = `${(variant?.priceWithTax ?? 0) / HUNDREDTHS} ${variant?.currencyCode ?? ""}`;
      const query = `variant=${variant?.id ?? ""}${channel === null ? "" : `&channel=${channel}`}`;
      return `<form method="post" action="/buy?${query}"><button>${escapeHtml(name)}, ${escapeHtml(price)}</button></form>`;
    });
  });
  return (await Promise.all(rows)).flat().join("\n");
}

function orderPage(code: string, payment: string | null): string {
  return `<p>Order ${escapeHtml(code)}: ${escapeHtml(payment ?? "")}</p><p><a href="/">Back to the shop</a></p>`;
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chez Adjoua</title><h1>Chez Adjoua</h1>${body}</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
