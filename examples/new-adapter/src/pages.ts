import { formatMoney, type StoreAdapter } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import { storeId } from "./checkout.ts";
import type { Shop, ShopOrder } from "./shop.ts";

/** The pages of the shop, without a framework: each host serves them in its own way. */
export type ShopPages = {
  home(): Promise<string>;
  /** Null if there is no such order. @param problem why the shopper came back without paying: the query `problem` of the address */
  order(id: string, problem?: string | null): Promise<string | null>;
  /** The address to which the shopper who pays is redirected, or null if there is no such order. */
  pay(id: string): Promise<string | null>;
  /** The page for an address that does not exist. */
  readonly missing: string;
};

/** What a host puts on the web. */
export type Site = { readonly pages: ShopPages; readonly checkout: CheckoutServer };

export function createPages(shop: Shop, adapter: StoreAdapter, checkout: CheckoutServer): ShopPages {
  return {
    home: async () => page("Orders", `<h1>Orders</h1>${(await shop.ordersSince(0)).map(renderOrder).join("")}`),
    async order(id, problem = null) {
      const order = await shop.order(id);
      if (!order) return null;
      const language = order.language === "fr" ? "fr" : "en";
      const notice = problem === null ? undefined : PROBLEMS[language][problem];
      const alert = notice ? `<p role="alert" lang="${language}">${escapeHtml(notice)}</p>` : "";
      const title = `<h1>${escapeHtml(order.title)}</h1>`;
      return page(order.title, `${title}${alert}${renderOrder(order)}${ALL_ORDERS}`);
    },
    missing: page("Not found", `<h1>There is no such page</h1>${ALL_ORDERS}`),
    async pay(id) {
      const orderPage = `/orders/${encodeURIComponent(id)}`;
      try {
        const order = await adapter.findOrder({ storeId, orderId: id }, "");
        if (!order) return null;
        // An order that is paid already, or whose payment is being checked, leads back to its page.
        const start = await checkout.startCheckout(order);
        return start.status === "redirect" ? start.url : orderPage;
      } catch (error) {
        // A shopper never sees an error: the page of the order says what they can do.
        const { message = "unknown", retryable = false } = error as { message?: string; retryable?: boolean };
        console.error(`The payment page of order ${id} did not open: ${message}`);
        return `${orderPage}?problem=${retryable ? "later" : "refused"}`;
      }
    },
  };
}

const ALL_ORDERS = `<p><a href="/">All orders</a></p>`;

/** What a shopper reads whose payment page did not open, by the query `problem`. */
const PROBLEMS: Readonly<Record<"en" | "fr", Readonly<Record<string, string | undefined>>>> = {
  en: {
    later: "The payment page could not be opened. Nothing was charged: try again in a moment.",
    refused: "This order cannot be paid here at the moment. Nothing was charged: please contact the shop.",
  },
  fr: {
    later: "La page de paiement n’a pas pu s’ouvrir. Rien n’a été débité : réessayez dans un instant.",
    refused: "Cette commande ne peut pas être payée ici pour l’instant. Rien n’a été débité : contactez la boutique.",
  },
};

function renderOrder(order: ShopOrder): string {
  const { id, title, total, language, paidBy, state } = order;
  const button = `<form method="post" action="/orders/${escapeHtml(id)}/pay"><button>Pay</button></form>`;
  return `<section><h2><a href="/orders/${escapeHtml(id)}">${escapeHtml(id)}</a> ${escapeHtml(title)}</h2>
    <p><strong>${escapeHtml(formatMoney(total, language))}</strong> <span class="state">${statusOf(order)}</span></p>
    ${paidBy === null && state === "open" ? button : ""}
    ${order.notes.map(({ text }) => `<p>${escapeHtml(text)}</p>`).join("")}</section>`;
}

function statusOf({ state, paidBy, pendingUntil, refunds }: ShopOrder): string {
  if (paidBy !== null) return refunds.length > 0 ? "paid, with refunds" : "paid";
  if (state === "cancelled") return "cancelled";
  return pendingUntil !== null && pendingUntil > Date.now() ? "the payment is under way" : "not paid";
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)}</title><style>${STYLE}</style><main>${body}</main></html>`;
}

// Light in every mode, as the pages of the payment are: a purchase must not flip between light and dark at each step.
const STYLE = `
:root{color-scheme:light;--page:#f2f4f1;--card:#fff;--line:#dfe3df;--text:#15211d;--accent:#0b6a50;--on-accent:#fff}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:36rem;margin:0 auto;padding:1rem}
section,[role=alert]{margin:0 0 1rem;padding:1rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
[role=alert]{border-left:4px solid var(--accent)}
h1{font-size:1.5rem}
h2{margin:0;font-size:1.1rem}
p{margin:.5rem 0}
a{color:var(--accent)}
.state{padding:.1rem .6rem;border:1px solid;border-radius:99px;font-size:.875rem}
button{width:100%;min-height:48px;border:1px solid transparent;border-radius:10px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
