import { explainFinding, type Finding, type OrderRef } from "@tillkit/core";
import { META } from "../protocol/names.ts";
import { NO_HOLD, readDecided, restoreDecision } from "./late-hold.ts";
import { addNoteOnce } from "./notes.ts";
import { isLateHold, paidByOf } from "./paid-by.ts";
import { holdByPlugin } from "./settle-by-plugin.ts";
import { isPayable, languageOf, type WooOrder } from "./woo-order.ts";
import type { WooShop } from "./woo-shop.ts";
import { wordsOf } from "./words.ts";

/** A note for the owner, and the order on hold; an order that the owner decided about keeps its status. */
export async function holdForReview(shop: WooShop, ref: OrderRef, finding: Finding): Promise<void> {
  const order = await readDecided(shop, ref);
  if (!order) return;
  const language = languageOf(order, shop.language);
  const words = wordsOf(language);
  const said = words.hold(explainFinding(finding, language));
  const text = ACCEPTABLE.has(finding.code) ? `${said} ${words.toAccept}` : said;
  await addNoteOnce(shop, ref.orderId, { kind: "hold", key: JSON.stringify(finding), text });
  if (shop.onMismatch === "note" || !waitsForMoney(order)) return;
  if (shop.settleBy !== "rest" && (await holdByPlugin(shop, order))) return;
  await holdByRest(shop, ref);
}

/** What an owner accepts by setting the order to paid; the other findings are about whose payment it is. */
const ACCEPTABLE: ReadonlySet<Finding["code"]> = new Set(["amount_differs", "total_changed", "order_not_payable"]);

/**
 * The REST API compares nothing, so the order is read right before it is written. What the owner sets in between is written
 * over all the same: the answer shows it, and the status is given back at once.
 */
async function holdByRest(shop: WooShop, ref: OrderRef): Promise<void> {
  const order = await shop.readOrder(ref);
  if (!order || !waitsForMoney(order)) return;
  // An order that was set to paid and taken back still bears a date of payment: a mark would look like a late hold.
  const mark = order.date_paid_gmt ? NO_HOLD : { key: META.hold, value: String(Math.floor(shop.clock.now() / 1_000)) };
  const after = await shop.changeOrder(ref.orderId, { status: "on-hold", meta_data: [mark] });
  if (after && isLateHold(after)) await restoreDecision(shop, after);
}

function waitsForMoney(order: WooOrder): boolean {
  return paidByOf(order) === null && isPayable(order) && order.status !== "on-hold";
}
