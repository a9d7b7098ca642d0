import { META } from "../protocol/names.ts";
import type { WooStore } from "../store/woo-store.ts";

export type Attention = "refund_failed" | "refund_not_recorded" | "payment_unfinished";

/** The plugin shows the order in its list of orders that need the owner's attention. */
export async function setAttention(store: WooStore, orderId: string, value: Attention): Promise<void> {
  await store.changeOrder(orderId, { meta_data: [{ key: META.attention, value }] });
}
