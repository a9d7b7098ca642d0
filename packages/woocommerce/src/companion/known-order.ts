import type { OrderRef } from "@tillkit/core";
import { sameText } from "../protocol/signature.ts";
import type { CompanionStore, Desk } from "./desk.ts";

const KIND = "woo-order-key";

/**
 * An order's key is kept when its first pay link is opened. A copy of the shop (a staging site with the same secrets) counts
 * its orders alike, but not their keys.
 */
export async function keepOrderKey({ ledger }: Desk, { storeId, orderId }: OrderRef, key: string): Promise<void> {
  const kept = await ledger.records.get(storeId, KIND, orderId);
  if (kept === null) await ledger.records.put(storeId, KIND, orderId, { key }, "new");
}

/** Whether the plugin speaks of the order that we know by this number. Where nothing is kept, the shop is asked. */
export async function isSameOrder(
  { ledger }: Desk,
  { shop }: CompanionStore,
  ref: OrderRef,
  key: string,
): Promise<boolean> {
  const kept = await ledger.records.get(ref.storeId, KIND, ref.orderId);
  const known = keyIn(kept?.value) ?? (await shop.readOrder(ref))?.order_key;
  return known !== undefined && sameText(known, key);
}

function keyIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("key" in value)) return undefined;
  return typeof value.key === "string" ? value.key : undefined;
}
