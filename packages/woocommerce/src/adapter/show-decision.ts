import type { OrderRef } from "@tillkit/core";
import type { DecisionReason } from "../decisions/decision-reasons.ts";
import { META } from "../protocol/names.ts";
import { metaOf } from "../store/woo-order.ts";
import type { WooStore } from "../store/woo-store.ts";

/**
 * Why money of this order waits for a decision of the owner; empty when none does. `isLate`: an automatic refund was not made in
 * time, so its payment waits for the owner too.
 */
export type ReadDecisionReasons = (
  ref: OrderRef,
  options?: { readonly isLate?: boolean },
) => Promise<readonly DecisionReason[]>;

/**
 * Writes to the order whether its money waits for a decision. The plugin marks such orders in the order list, counts them in the
 * menu and sends the owner an e-mail.
 */
export async function showDecision(
  store: WooStore,
  ref: OrderRef,
  readReasons: () => Promise<readonly DecisionReason[]>,
): Promise<void> {
  const order = await store.readOrder(ref);
  if (!order) return;
  const reasons = await readReasons();
  const value = reasons.join(" ");
  if (metaOf(order, META.decision) === value) return;
  if (store.writeOrdersBy !== "rest") {
    const { kind } = await store.plugin.call("decision", { order: ref.orderId, key: order.order_key, reasons });
    if (kind === "answered") return;
  }
  // The REST API changes no order in the trash.
  await store.changeOrder(ref.orderId, { meta_data: [{ key: META.decision, value }] });
}
