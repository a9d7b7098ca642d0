import { readOwnerDecision, UNPAID_STATUSES } from "./paid-by.ts";
import type { OrderChange, ShopOrder } from "./shop.ts";

/** The owner as the plugin names them: role and WordPress's user id. */
const OWNER = "shop_manager #7";

/** The meta that the plugin writes after a status change, as in PROTOCOL.md: who set the order to paid. Removed with the paid status. */
export function recordOwnerDecision(before: ShopOrder, after: ShopOrder, now: number): OrderChange {
  if (before.status === after.status) return {};
  const { _tillkit_hold, _tillkit_set_paid, ...meta } = after.meta;
  if (after.status === "on-hold" || UNPAID_STATUSES.includes(after.status)) return { meta };
  const earlierMeta = _tillkit_set_paid === undefined ? {} : { _tillkit_set_paid };
  if (!isPaid(after.status) || after.meta._tillkit_payment_id) return { meta: { ...meta, ...earlierMeta } };
  const earlier = isPaid(before.status) ? readOwnerDecision(after) : null;
  const decision = earlier ?? { by: OWNER, at: Math.floor(now / 1_000) };
  const written = JSON.stringify({ ...decision, status: after.status });
  return { meta: { ...meta, _tillkit_set_paid: written } };
}

function isPaid(status: string): boolean {
  return status === "processing" || status === "completed";
}
