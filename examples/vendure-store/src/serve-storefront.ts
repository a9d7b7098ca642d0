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
      const price = priceText(variant);
      const query = `variant=${variant?.id ?? ""}${channel === null ? "" : `&channel=${channel}`}`;
      return `<form method="post" action="/buy?${query}"><h2>${escapeHtml(name)}</h2><p>${escapeHtml(price)}</p><button>Buy<span class="hidden"> ${escapeHtml(name)}, ${escapeHtml(price)}</span></button></form>`;
    });
  });
  return (await Promise.all(rows)).flat().join("\n");
}

type Priced = { readonly priceWithTax: number; readonly currencyCode: string };

function priceText(variant: Priced | undefined): string {
  if (variant === undefined) return "";
  // English would write "F CFA 4,000"; the payment page that follows writes "4 000 F CFA" in every language.
  const locale = variant.currencyCode === "XOF" ? "fr" : "en";
  const format = new Intl.NumberFormat(locale, { style: "currency", currency: variant.currencyCode });
  return format.format(variant.priceWithTax / HUNDREDTHS);
}

/** What the shopper reads for a value of the parameter `payment`. */
const STATES: Readonly<Record<string, string>> = {
  paid: "Thank you, your order is paid.",
  waiting: "Your payment is being confirmed.",
  cancelled: "You left the payment page. The order is not paid yet.",
  refused: "The payment did not go through. The order is not paid.",
};

function orderPage(code: string, payment: string | null): string {
  const state = STATES[payment ?? ""] ?? payment ?? "";
  return `<div class="order${payment === "paid" ? " paid" : ""}"><h2>Order ${escapeHtml(code)}</h2><p class="state">${escapeHtml(state)}</p><p><a href="/">Back to the shop</a></p></div>`;
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Chez Adjoua</title><style>${STYLE}</style><header><h1><a href="/">Chez Adjoua</a></h1></header><main>${body}</main></html>`;
}

const STYLE = `
*{box-sizing:border-box}
body{margin:0;color-scheme:light;background:#f7f4ee;color:#22261f;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{padding:.3rem 1rem;background:#1f3a34;color:#fff;text-align:center}
h1{margin:0;font-size:1.4rem;line-height:1.2}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(15rem,100%),1fr));gap:1rem;max-width:60rem;margin:1.5rem auto;padding:0 1rem}
form,.order{display:flex;flex-direction:column;padding:1.1rem;background:#fff;border:1px solid #e3dac6;border-radius:14px}
h2{margin:0;font-size:1.1rem}
p{margin:.4rem 0 1rem}
button{min-height:48px;margin-top:auto;border:1px solid transparent;border-radius:10px;background:#a63f22;color:#fff;font:inherit;font-weight:600;cursor:pointer}
a{display:inline-flex;align-items:center;min-height:44px;color:#83301a}
h1 a{color:inherit;text-decoration:none}
.order{grid-column:1/-1;width:min(30rem,100%);margin:0 auto}
.order h2{font-size:1rem;font-weight:400}
.order p:last-child{margin:0}
.paid{background:#e6f2e8;border-color:#1d6242}
.state{margin-bottom:.4rem;font-size:1.25rem;font-weight:600;line-height:1.3}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
