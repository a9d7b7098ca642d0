import { type Answer, refusal } from "./answer.ts";
import { isHeldLate, shownAsPaidBy } from "./paid-by.ts";
import type { ShopOrder } from "./shop.ts";

const PAYABLE: readonly string[] = ["pending", "failed", "on-hold", "checkout-draft"];
const DECIDED = refusal(409, "tillkit_order_decided", "The order was decided meanwhile.");

/** A write of the companion that would undo what the owner decided is refused. All of its writes name a meta key of its own. */
export function refuseLateWrite(now: ShopOrder, change: Readonly<Record<string, unknown>>): Answer | null {
  const rows: readonly { key?: unknown; value?: unknown }[] = Array.isArray(change.meta_data) ? change.meta_data : [];
  if (!rows.some(({ key }) => String(key).startsWith("_tillkit_"))) return null;
  const payment = String(rows.find(({ key }) => key === "_tillkit_payment_id")?.value ?? "");
  const paidBy = shownAsPaidBy(now);
  const pays = change.set_paid === true;
  const before = pays ? [payment, null] : [payment, "owner", "unclear"];
  if (payment !== "" && !before.includes(paidBy)) return DECIDED;
  const { status } = change;
  if (status === "processing" || status === "completed") return isHeldLate(now) ? null : DECIDED;
  if (status === undefined && !pays) return null;
  return PAYABLE.includes(now.status) && [null, payment].includes(paidBy) ? null : DECIDED;
}
