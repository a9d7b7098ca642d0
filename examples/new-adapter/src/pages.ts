import { formatMoney, type StoreAdapter } from "@tillkit/core";
import type { CheckoutServer } from "@tillkit/server";
import { storeId } from "./checkout.ts";
import type { Shop, ShopOrder } from "./shop.ts";

/** The pages of the shop, without a framework: each host serves them in its own way. */
export type ShopPages = {
  home(): Promise<string>;
  /** Null if there is no such order. */
  order(id: string): Promise<string | null>;
  /** The address to which the shopper who pays is redirected, or null if there is no such order. */
  pay(id: string): Promise<string | null>;
};

/** What a host puts on the web. */
export type Site = { readonly pages: ShopPages; readonly checkout: CheckoutServer };

export function createPages(shop: Shop, adapter: StoreAdapter, checkout: CheckoutServer): ShopPages {
  return {
    home: async () => page("Orders", (await shop.ordersSince(0)).map(renderOrder).join("")),
    async order(id) {
      const order = await shop.order(id);
      return order && page(order.title, `${renderOrder(order)}<p><a href="/">All orders</a></p>`);
    },
    async pay(id) {
      const order = await adapter.findOrder({ storeId, orderId: id }, "");
      if (!order) return null;
      // An order that is paid already, or whose payment is being checked, leads back to its page.
      const start = await checkout.startCheckout(order);
      return start.status === "redirect" ? start.url : `/orders/${encodeURIComponent(id)}`;
    },
  };
}

function renderOrder(order: ShopOrder): string {
  const { id, title, total, language, paidBy, state } = order;
  const button = `<form method="post" action="/orders/${escapeHtml(id)}/pay"><button>Pay</button></form>`;
  return `<h2><a href="/orders/${escapeHtml(id)}">${escapeHtml(id)}</a> ${escapeHtml(title)}</h2>
    <p>${escapeHtml(formatMoney(total, language))}: ${statusOf(order)}</p>
    ${paidBy === null && state === "open" ? button : ""}
    ${order.notes.map(({ text }) => `<p>${escapeHtml(text)}</p>`).join("")}`;
}

function statusOf({ state, paidBy, pendingUntil, refunds }: ShopOrder): string {
  if (paidBy !== null) return refunds.length > 0 ? "paid, with refunds" : "paid";
  if (state === "cancelled") return "cancelled";
  return pendingUntil !== null && pendingUntil > Date.now() ? "the payment is under way" : "not paid";
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)}</title><main>${body}</main></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
