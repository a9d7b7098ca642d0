import {
  explainFinding,
  type Finding,
  type Language,
  type Order,
  type OrderRef,
  type StoreAdapter,
  safeText,
} from "@tillkit/core";
import type { Order as VendureOrder } from "@vendure/core";
import { pluginLimits } from "./limits.ts";
import type { Shop } from "./options/options.ts";
import { toMoney } from "./order/amounts.ts";
import { addOrderNote } from "./order/order-notes.ts";
import { amountDueOf, paidByOf } from "./order/paid-by.ts";
import { readOrder } from "./order/read-order.ts";
import { settleOrder } from "./order/settle-order.ts";
import { unsettledOrders } from "./order/unsettled-orders.ts";
import { recordRefund } from "./refunds/record-refund.ts";
import type { ShopServices } from "./shop-services.ts";
import { pluginTexts } from "./texts.ts";

export type VendureAdapterOptions = ShopServices & { readonly shop: Shop; readonly language: Language };

/**
 * The engine's adapter for one channel of Vendure: an order is an order, found by its code. Writes are conditional: each locks the
 * order's row first, and compares and writes in one transaction.
 */
export function createVendureAdapter(options: VendureAdapterOptions): StoreAdapter {
  const { services, shop, language } = options;
  const texts = pluginTexts(language);
  const storeId = shop.channel;

  async function read(ref: OrderRef): Promise<VendureOrder | null> {
    return ref.storeId === storeId ? await readOrder(services, await options.context(), shop, ref.orderId) : null;
  }

  async function note(ref: OrderRef, key: string, text: string): Promise<void> {
    if (ref.storeId === storeId) await addOrderNote(options, ref.orderId, key, text);
  }

  return {
    platform: "vendure",
    writes: { kind: "conditional" },
    async findOrder(ref) {
      const order = await read(ref);
      return order && toOrder(order, ref, options);
    },
    markPaid: (receipt) => settleOrder(options, receipt),
    holdForReview: (ref, _attempt, finding) =>
      note(ref, `hold:${keyOf(finding)}`, `${texts.held} ${explainFinding(finding, language)}`),
    recordRefund: (refund) => recordRefund(options, refund),
    addNote: (ref, key, text) => note(ref, `note:${key}`, text),
    async shopperUrl({ orderId }, _attempt, outcome) {
      const url = new URL(shop.storefrontUrl.replaceAll("{code}", encodeURIComponent(orderId)));
      url.searchParams.set("payment", outcome);
      return url.href;
    },
    listUnsettled: (since) => unsettledOrders(options, since),
  };
}

/** Only an order in `ArrangingPayment` is payable: Vendure refuses other items in this state, and in no earlier one. */
export function toOrder(
  order: VendureOrder,
  ref: OrderRef,
  { services, shop, language }: VendureAdapterOptions,
): Order {
  const paidBy = paidByOf(order);
  const { firstName = "", lastName = "", emailAddress, phoneNumber } = order.customer ?? {};
  // A customer without a phone number has null there, against Vendure's declaration.
  const phone = phoneNumber || undefined;
  return {
    ref,
    number: order.code,
    // Vendure has no ids for attempts to pay.
    attempt: "",
    total: toMoney(Math.max(0, amountDueOf(order)), order.currencyCode, services.decimals),
    title: safeText(pluginTexts(language).orderTitle(order.code)),
    description: describeLines(order),
    customer: { name: `${firstName} ${lastName}`.trim(), email: emailAddress, phone },
    environment: shop.apiKey.startsWith("svc_sk_live_") ? "live" : "test",
    language,
    payable: order.state === "ArrangingPayment" && paidBy === null,
    paidBy,
  };
}

function describeLines({ lines }: VendureOrder): string {
  const shown = lines.filter(({ quantity }) => quantity > 0).slice(0, pluginLimits.describedLines);
  return shown.map(({ quantity, productVariant }) => `${quantity} × ${productVariant.name}`).join(", ");
}

function keyOf({ code, expected, found }: Finding): string {
  return `${code}:${expected}:${found}`;
}
