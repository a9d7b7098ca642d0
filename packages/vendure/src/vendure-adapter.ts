import {
  explainFinding,
  findingKey,
  type Language,
  type Order,
  type OrderRef,
  type StoreAdapter,
  safeText,
} from "@tillkit/core";
import { plainText } from "@tillkit/runtime";
import type { Order as VendureOrder } from "@vendure/core";
import { pluginLimits } from "./limits.ts";
import { homeUrlOf, type Shop } from "./options/options.ts";
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
 * The engine's adapter for one channel of Vendure. The id of an order is its code in Vendure. Writes are conditional: each write locks
 * the order's row first, and then compares and writes in the same transaction.
 */
export function createVendureAdapter(options: VendureAdapterOptions): StoreAdapter {
  const { services, shop, language } = options;
  const texts = pluginTexts(language);
  const storeId = shop.channel;

  async function read(ref: OrderRef): Promise<VendureOrder | null> {
    return ref.storeId === storeId ? await readOrder(services, await options.context(), shop, ref.orderId) : null;
  }

  async function addNote(ref: OrderRef, key: string, text: string): Promise<void> {
    if (ref.storeId === storeId) await addOrderNote(options, ref.orderId, key, text);
  }

  return {
    platform: "vendure",
    branding: { homeUrl: homeUrlOf(shop) },
    writes: { kind: "conditional" },
    async findOrder(ref) {
      const order = await read(ref);
      return order && toOrder(order, ref, options);
    },
    markPaid: (receipt) => settleOrder(options, receipt),
    holdForReview: (ref, _attempt, finding) =>
      addNote(ref, `hold:${findingKey(finding)}`, `${texts.held} ${explainFinding(finding, language)}`),
    recordRefund: (refund) => recordRefund(options, refund),
    addNote: (ref, key, text) => addNote(ref, `note:${key}`, text),
    async shopperUrl({ orderId }, _attempt, outcome) {
      const url = new URL(shop.returnUrl.replaceAll("{code}", encodeURIComponent(orderId)));
      url.searchParams.set("payment", outcome);
      return url.href;
    },
    listUnsettled: (since) => unsettledOrders(options, since),
  };
}

/** Converts an order of Vendure. Only in the state `ArrangingPayment` is an order payable, because its items can no longer change. */
export function toOrder(
  order: VendureOrder,
  ref: OrderRef,
  { services, shop, language }: VendureAdapterOptions,
): Order {
  const paidBy = paidByOf(order);
  const { firstName = "", lastName = "", emailAddress, phoneNumber } = order.customer ?? {};
  // A customer without a phone number has `null` here, although Vendure declares a text.
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
  const describedLines = lines.filter(({ quantity }) => quantity > 0).slice(0, pluginLimits.describedLines);
  return describedLines
    .map(({ quantity, productVariant }) => `${quantity} × ${plainText(productVariant.name)}`)
    .join(", ");
}
