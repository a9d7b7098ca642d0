import { decisionOf, WITHOUT_MONEY } from "./paid-by.ts";
import type { OrderChange, ShopOrder } from "./shop.ts";

/** What the plugin keeps of the owner's change, by PROTOCOL.md: who set the order to paid by hand, until it is taken back. */
export function rememberDecision(before: ShopOrder, after: ShopOrder, now: number): OrderChange {
  if (before.status === after.status) return {};
  const { _tillkit_hold, _tillkit_set_paid, ...meta } = after.meta;
  if (after.status === "on-hold" || WITHOUT_MONEY.includes(after.status)) return { meta };
  const kept = _tillkit_set_paid === undefined ? {} : { _tillkit_set_paid };
  if (!isPaid(after.status) || after.meta._tillkit_payment_id) return { meta: { ...meta, ...kept } };
  const first = isPaid(before.status) ? decisionOf(after) : null;
  const decision = first ?? { by: "shop_manager #7", at: Math.floor(now / 1_000) };
  const written = JSON.stringify({ ...decision, status: after.status });
  return { meta: { ...meta, _tillkit_set_paid: written } };
}

function isPaid(status: string): boolean {
  return status === "processing" || status === "completed";
}
