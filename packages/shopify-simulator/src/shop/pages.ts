import { formatMoney, type Money } from "@tillkit/core";
import { financialStatus, type ShopOrder } from "../admin/shop-orders.ts";
import type { SimulatorResponse } from "../http-server.ts";
import type { PaymentSession, ShopCheckout } from "../payments/payment-sessions.ts";

/** The home page of the shop, with a button for each way to pay. */
export function frontPage(
  shop: string,
  total: Money,
  methods: { readonly offsite: boolean; readonly order: boolean },
): SimulatorResponse {
  const noMethodText = methods.order ? "" : "<p>The payments app is not ready in this shop.</p>";
  const offsite = methods.offsite
    ? `<form method="post" action="checkouts"><button>Pay ${amountText(total)} with the payments app</button></form>`
    : noMethodText;
  const order = methods.order
    ? `<form method="post" action="orders"><button>Order for ${amountText(total)} and pay by the manual method</button></form>`
    : "";
  return page(shop, `<h1>One basket, ${amountText(total)}</h1>${offsite}${order}`);
}

export function checkoutPage(
  shop: string,
  { status, total, refusal }: ShopCheckout,
  session: PaymentSession,
): SimulatorResponse {
  const heading = {
    open: "This checkout waits for its payment.",
    pending: "Thank you! Your payment is on its way.",
    paid: "Thank you! Your order is confirmed.",
    refused: "Your payment can't be processed. Try a different payment method.",
    closed: "This checkout is no longer there.",
  }[status];
  // Shopify stores the redirect URL of the first answer and uses it again hours later.
  const continueLink =
    status === "open" && session.redirectUrl
      ? `<p><a href="${escapeHtml(session.redirectUrl)}">Continue to payment</a></p>`
      : "";
  const refusalText = refusal && status === "refused" ? `<p>${escapeHtml(refusal)}</p>` : "";
  return page(shop, `<h1>${heading}</h1><p>${amountText(total)}</p>${refusalText}${continueLink}`);
}

export function orderPage(shop: string, order: ShopOrder, payUrl: string | null): SimulatorResponse {
  const payLink = payUrl ? `<p><a href="${escapeHtml(payUrl)}">Pay this order</a></p>` : "";
  const status = financialStatus(order).toLowerCase().replace("_", " ");
  return page(
    shop,
    `<h1>Order ${escapeHtml(order.name)}</h1><p><strong>${amountText(order.total)}</strong>, <span class="state">${status}</span></p>${payLink}`,
  );
}

export function installPage(shop: string, approveUrl: string, scopes: string): SimulatorResponse {
  const scopeList = escapeHtml(scopes.split(",").join(", "));
  return page(
    shop,
    `<h1>Install app</h1><p>It may use: ${scopeList}</p><p><a href="${escapeHtml(approveUrl)}">Install</a></p>`,
  );
}

export function plainPage(shop: string, heading: string, status = 200): SimulatorResponse {
  return { ...page(shop, `<h1>${escapeHtml(heading)}</h1>`), status };
}

function page(title: string, body: string): SimulatorResponse {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style><body><header>${escapeHtml(title)}</header><main>${body}</main></body></html>`;
  return { status: 200, body: html, headers: { "Cache-Control": "no-store" } };
}

/** A shop on a phone: one column, nothing wider than the screen, and buttons for a thumb. */
const STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f6f6f4;color:#202223;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{padding:1rem;background:#fff;border-bottom:1px solid #dfe1df;font-weight:700;text-align:center}
main{width:min(32rem,100% - 2rem);margin:1.5rem auto;padding:1.25rem;background:#fff;border:1px solid #dfe1df;border-radius:14px}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.3}
button,main p>a:only-child{display:block;width:100%;min-height:48px;margin:.75rem 0 0;padding:.7rem 1rem;border:1px solid transparent;border-radius:10px;background:#1a1c1d;color:#fff;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.state{padding:.1rem .6rem;border:1px solid;border-radius:99px}
`;

function amountText(total: Money): string {
  return escapeHtml(formatMoney(total, "en"));
}

function escapeHtml(raw: string): string {
  return raw.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
