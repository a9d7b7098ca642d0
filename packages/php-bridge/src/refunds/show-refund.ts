import type { Language, RefundToRecord, StoreAnswer } from "@tillkit/core";
import type { NoteMessages } from "../notes/note-messages.ts";
import { type OrderNote, otherRefund, refundNote } from "../notes/order-note.ts";
import type { BridgedOrder } from "../orders/bridged-order.ts";
import { noteByPlugin, recordRefundByPlugin } from "../plugin-writes.ts";
import type { PluginRoutes } from "../transport/plugin-routes.ts";

export type RefundToShow = {
  readonly refund: RefundToRecord;
  readonly order: BridgedOrder;
  /** Whether the order waits for a decision of its owner. */
  readonly isHeld: boolean;
  readonly messages: NoteMessages;
  readonly language: Language;
};

/**
 * Records a refund on the order that shows its payment, and tells the owner what became of it. A refund of another payment, and a refund that
 * failed, change nothing but the notes. @throws StoreError
 */
export async function showRefundByPlugin(plugin: PluginRoutes, input: RefundToShow): Promise<StoreAnswer> {
  const { refund, order, isHeld, messages, language } = input;
  const addNote = async (describe: (amount: string) => string, mark: Pick<OrderNote, "attention"> = {}) =>
    await noteByPlugin(plugin, order, { ...refundNote(refund, describe, language), ...mark });
  const noted: StoreAnswer = { outcome: "recorded", evidence: "acknowledged" };
  if (refund.status === "failed") {
    await addNote(messages.refundFailed, { attention: "refund_failed" });
    return noted;
  }
  if (order.paidBy !== refund.paymentId) {
    await addNote(otherRefund(messages, { paidBy: order.paidBy, isHeld }));
    return noted;
  }
  const answer = await recordRefundByPlugin(plugin, order, { ...refund, reason: messages.refundReason });
  if (answer !== "refused") {
    await addNote(messages.refundRecorded);
    return answer;
  }
  await addNote(messages.refundNotRecorded, { attention: "refund_not_recorded" });
  return { outcome: "not-payable", why: { kind: "refused_by_platform", code: null } };
}
