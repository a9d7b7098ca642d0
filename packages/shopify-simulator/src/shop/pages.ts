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
  return page(shop, `<h1>${escapeHtml(shop)}</h1><p>One basket, ${amountText(total)}.</p>${offsite}${order}`);
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
  return page(shop, `<h1>Order ${escapeHtml(order.name)}</h1><p>${amountText(order.total)}, ${status}</p>${payLink}`);
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
  const style =
    "body{font:1.1rem/1.5 system-ui;max-width:36rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem}";
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style><body>${body}</body></html>`;
  return { status: 200, body: html, headers: { "Cache-Control": "no-store" } };
}

function amountText(total: Money): string {
  return escapeHtml(formatMoney(total, "en"));
}

function escapeHtml(raw: string): string {
  return raw.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
