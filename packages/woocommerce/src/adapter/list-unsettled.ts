import type { OrderRef } from "@tillkit/core";
import { z } from "zod";
import { isOwnMethod } from "../protocol/names.ts";
import type { WooStore } from "../store/woo-store.ts";
import { readChangedOrders } from "./changed-orders.ts";

const orderSchema = z.object({ id: z.number(), payment_method: z.string() });

/**
 * Lists unpaid orders of our payment method that changed after `since` (milliseconds since 1970), the newest first: one sweep
 * reads a limited number of payments, and today's orders must not wait behind a week of abandoned ones.
 */
export async function* listUnsettled(
  store: WooStore,
  since: number,
): AsyncGenerator<{ readonly ref: OrderRef; readonly attempt: string }> {
  const status = ["pending", "failed", "cancelled", "on-hold"];
  const orders = await readChangedOrders(store, orderSchema, { status, since, fields: "id,payment_method" });
  const ids = new Set(orders.filter((order) => isOwnMethod(order.payment_method)).map(({ id }) => id));
  for (const id of [...ids].reverse()) yield { ref: { storeId: store.storeId, orderId: String(id) }, attempt: "" };
}
