import type { OrderRef } from "@tillkit/core";
import type { OrderMoney } from "@tillkit/php-bridge";
import { META } from "../protocol/names.ts";
import { ownPaymentOf } from "../store/paid-by.ts";
import { metaOf, type WooOrder } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";

/**
 * Writes to the order whether its money waits for a decision, and whether the payment that it shows is no longer there. The
 * plugin marks such orders in the order list, counts them in the menu and sends the owner an e-mail.
 */
export async function showDecision(
  store: WooStore,
  ref: OrderRef,
  readMoney: () => Promise<OrderMoney>,
): Promise<void> {
  const order = await store.readOrder(ref);
  if (!order) return;
  const { reasons, lost, refunded } = await readMoney();
  await showPaymentThatLeft(store, order, lost, refunded);
  const value = reasons.join(" ");
  if (metaOf(order, META.decision) === value) return;
  if (store.writeOrdersBy !== "rest") {
    const { kind } = await store.plugin.call("decision", { order: ref.orderId, key: order.order_key, reasons });
    if (kind === "answered") return;
  }
  // The REST API changes no order in the trash.
  await store.changeOrder(ref.orderId, { meta_data: [{ key: META.decision, value }] });
}

async function showPaymentThatLeft(
  store: WooStore,
  order: WooOrder,
  lost: readonly string[],
  refunded: readonly string[],
): Promise<void> {
  const payment = ownPaymentOf(order);
  const value = [...lost, ...refunded].includes(payment) ? payment : "";
  if (metaOf(order, META.lost) === value) return;
  const attention = lost.includes(payment) ? [{ key: META.attention, value: "lost_to_dispute" }] : [];
  await store.changeOrder(String(order.id), { meta_data: [{ key: META.lost, value }, ...attention] });
}
