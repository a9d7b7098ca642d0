import { constantTimeEqual } from "@tillkit/client/webhooks";
import type { Ledger, OrderRef } from "@tillkit/core";
import type { AppContext, ConnectedStore } from "../app-context.ts";
import type { BridgedPlatform } from "../platform.ts";

function recordKind({ prefix }: Pick<BridgedPlatform, "prefix">): string {
  return `${prefix}-order-key`;
}

/**
 * Stores the key of an order when its first pay link is opened. The key distinguishes the shop from a copy of it, for instance a
 * staging site with the same secrets, whose orders have the same numbers and other keys.
 */
export async function storeOrderKey(
  { platform, ledger }: AppContext,
  { storeId, orderId }: OrderRef,
  key: string,
): Promise<void> {
  const stored = await ledger.records.get(storeId, recordKind(platform), orderId);
  if (stored === null) await ledger.records.put(storeId, recordKind(platform), orderId, { key }, "new");
}

/** Whether the key belongs to the order with this number: compared with the stored key, or with the shop's if none is stored. */
export async function matchesOrderKey(
  { platform, ledger }: AppContext,
  { connection }: ConnectedStore,
  ref: OrderRef,
  key: string,
): Promise<boolean> {
  const expected = (await readOrderKey(platform, ledger, ref)) ?? (await connection.readOrder(ref))?.key;
  return expected !== undefined && constantTimeEqual(expected, key);
}

/** The key that the order had when its first pay link was opened. */
export async function readOrderKey(
  platform: Pick<BridgedPlatform, "prefix">,
  { records }: Pick<Ledger, "records">,
  { storeId, orderId }: OrderRef,
): Promise<string | undefined> {
  return readKey((await records.get(storeId, recordKind(platform), orderId))?.value);
}

function readKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("key" in value)) return undefined;
  return typeof value.key === "string" ? value.key : undefined;
}
