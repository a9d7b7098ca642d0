import { errorResponse, type ShopResponse } from "./messages.ts";
import { isStaleHold, paidByOf } from "./paid-by.ts";
import type { ShopOrder } from "./shop.ts";

const PAYABLE: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft"];
const DECIDED = errorResponse(409, "tillkit_order_decided", "The owner has changed the order.");

/**
 * Refuses a write of the checkout server that would undo a change of the owner. All writes of the checkout server contain a
 * `_tillkit_` meta key.
 */
export function refuseStaleWrite(current: ShopOrder, change: Readonly<Record<string, unknown>>): ShopResponse | null {
  const metaRows: readonly { key?: unknown; value?: unknown }[] = Array.isArray(change.meta_data)
    ? change.meta_data
    : [];
  if (!metaRows.some(({ key }) => String(key).startsWith("_tillkit_"))) return null;
  const payment = String(metaRows.find(({ key }) => key === "_tillkit_payment_id")?.value ?? "");
  const paidBy = paidByOf(current);
  const pays = change.set_paid === true;
  const allowedPaidBy = pays ? [payment, null] : [payment, "owner", "unclear"];
  if (payment !== "" && !allowedPaidBy.includes(paidBy)) return DECIDED;
  const { status } = change;
  if (status === "processing" || status === "completed") return isStaleHold(current) ? null : DECIDED;
  if (status === undefined && !pays) return null;
  return PAYABLE.includes(current.status) && [null, payment].includes(paidBy) ? null : DECIDED;
}
