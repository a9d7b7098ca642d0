import { errorResponse, type ShopResponse } from "./messages.ts";
import { isStaleHold, PAYABLE_STATUSES, paidByOf } from "./paid-by.ts";
import type { ShopOrder } from "./shop.ts";

const ORDER_DECIDED = errorResponse(409, "tillkit_order_decided", "The owner has changed the order.");

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
  const setsPaid = change.set_paid === true;
  const allowedPaidBy = setsPaid ? [payment, null] : [payment, "owner", "unclear"];
  if (payment !== "" && !allowedPaidBy.includes(paidBy)) return ORDER_DECIDED;
  const { status } = change;
  // A write of a paid status restores the owner's status after a late hold.
  if (status === "processing" || status === "completed") return isStaleHold(current) ? null : ORDER_DECIDED;
  if (status === undefined && !setsPaid) return null;
  const isPayable = PAYABLE_STATUSES.includes(current.status) && [null, payment].includes(paidBy);
  return isPayable ? null : ORDER_DECIDED;
}
