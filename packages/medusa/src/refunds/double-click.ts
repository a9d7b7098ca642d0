import { type Ledger, type Refund, sameMoney } from "@tillkit/core";
import { userError } from "../errors/user-error.ts";
import { pluginLimits } from "../limits.ts";
import { type RefundContext, shownInRowSince } from "./refund-rows.ts";

type DoubleClickContext = RefundContext & { readonly ledger: RefundContext["ledger"] & Pick<Ledger, "timeline"> };

/**
 * Rejects a click on a refund whose amount was refunded just before, or while the click waited. Two clicks are two rows in Medusa, with
 * two keys. A double click is one that comes less than `pluginLimits.doubleClickMs` after the earlier click was answered: until then
 * nobody knows that it had an effect, and the service may take many seconds.
 *
 * @param ofSameAmount the completed and pending refunds of this amount that Medusa requested
 * @param clickedAt when the person clicked, in milliseconds since 1970
 * @throws Error with a text for the person who clicked
 */
export async function rejectDoubleClick(
  context: DoubleClickContext,
  ofSameAmount: readonly Refund[],
  clickedAt: number,
): Promise<void> {
  const answered = await Promise.all(ofSameAmount.map((refund) => answeredAt(context, refund)));
  if (answered.some((at) => clickedAt < at + pluginLimits.doubleClickMs)) throw userError("refundRepeated");
}

/** When Medusa answered the newest click on a refund of this amount, at the latest. */
async function answeredAt(context: DoubleClickContext, refund: Refund): Promise<number> {
  const { paymentId, amount, state } = refund;
  const timeline = await context.ledger.timeline({ paymentId });
  const results = timeline.filter(
    (entry) =>
      entry.actor === "store" &&
      (entry.kind === "refund_requested" || entry.kind === "refund_pending" || entry.kind === "refund_completed") &&
      sameMoney(entry.amount, amount),
  );
  const shownAt = (await shownInRowSince(context, refund)) ?? 0;
  const newest = Math.max(shownAt, ...results.map(({ at }) => at));
  // Medusa answers a click on a pending refund after this wait.
  return state === "pending" ? newest + pluginLimits.refundWaitMs : newest;
}
