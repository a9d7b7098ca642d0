import { hasCopiedPayment, readOwnerDecision, UNPAID_STATUSES } from "./paid-by.ts";
import type { OrderChange, ShopOrder } from "./shop.ts";

/** The text by which the plugin names the owner: the role and the user id in WordPress. */
const OWNER = "shop_manager #7";

/**
 * The meta that the plugin writes after a status change, as in PROTOCOL.md: `_tillkit_set_paid` says who set the order to paid. An
 * unpaid status removes this meta.
 */
export function recordOwnerDecision(before: ShopOrder, after: ShopOrder, now: number): OrderChange {
  if (before.status === after.status) return {};
  const { _tillkit_hold, _tillkit_set_paid, ...meta } = after.meta;
  if (after.status === "on-hold" || UNPAID_STATUSES.includes(after.status)) return { meta };
  const earlierMeta = _tillkit_set_paid === undefined ? {} : { _tillkit_set_paid };
  if (!isPaid(after.status) || (after.meta._tillkit_payment_id && !hasCopiedPayment(after)))
    return { meta: { ...meta, ...earlierMeta } };
  // From one paid status to another, the first decision stays.
  const earlierDecision = isPaid(before.status) ? readOwnerDecision(after) : null;
  const decision = earlierDecision ?? { by: OWNER, at: Math.floor(now / 1_000) };
  const written = JSON.stringify({ ...decision, status: after.status });
  return { meta: { ...meta, _tillkit_set_paid: written } };
}

function isPaid(status: string): boolean {
  return status === "processing" || status === "completed";
}
