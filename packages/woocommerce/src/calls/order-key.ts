import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { OrderRef } from "@tillkit/core";
import type { AppContext, ConnectedStore } from "../app-context.ts";

const RECORD_KIND = "woo-order-key";

/**
 * Stores the key of an order when its first pay link is opened. The key distinguishes the shop from a copy of it, for instance a
 * staging site with the same secrets, whose orders have the same numbers and other keys.
 */
export async function storeOrderKey(
  { ledger }: AppContext,
  { storeId, orderId }: OrderRef,
  key: string,
): Promise<void> {
  const stored = await ledger.records.get(storeId, RECORD_KIND, orderId);
  if (stored === null) await ledger.records.put(storeId, RECORD_KIND, orderId, { key }, "new");
}

/** Whether the key belongs to the order with this number: compared with the stored key, or with the shop's if none is stored. */
export async function matchesOrderKey(
  { ledger }: AppContext,
  { connection }: ConnectedStore,
  ref: OrderRef,
  key: string,
): Promise<boolean> {
  const stored = await ledger.records.get(ref.storeId, RECORD_KIND, ref.orderId);
  const expected = readKey(stored?.value) ?? (await connection.readOrder(ref))?.order_key;
  return expected !== undefined && constantTimeEqual(expected, key);
}

function readKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("key" in value)) return undefined;
  return typeof value.key === "string" ? value.key : undefined;
}
