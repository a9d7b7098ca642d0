import { createHash } from "node:crypto";
import {
  explainFinding,
  type Finding,
  findingKey,
  formatMoney,
  type Language,
  type Receipt,
  type RefundToRecord,
} from "@tillkit/core";
import { ACCEPTED_BY_MARKING_PAID } from "@tillkit/core/back-office";
import type { NoteMessages } from "./note-messages.ts";

/** A note for the owner. The order gets it once for each kind and key. `attention`: why the order is marked until its owner has taken care of it. */
export type OrderNote = {
  readonly kind: "hold" | "note" | "paid";
  readonly key: string;
  readonly text: string;
  readonly attention?: "refund_failed" | "refund_not_recorded";
};

/** Stands for the note in the shop, whose notes have no idempotency key. */
export function noteMarker({ kind, key }: Pick<OrderNote, "kind" | "key">): string {
  return `[tillkit ${kind} ${createHash("sha256").update(key).digest("hex").slice(0, 12)}]`;
}

/** Tells that a payment does not match, and how to accept it where setting the order to paid does that. */
export function heldNote(finding: Finding, messages: NoteMessages, language: Language): OrderNote {
  const held = messages.held(explainFinding(finding, language));
  const text = ACCEPTED_BY_MARKING_PAID.has(finding.code) ? `${held} ${messages.howToAccept}` : held;
  return { kind: "hold", key: findingKey(finding), text };
}

/** Tells who accepted less than the total, and how much is missing. Null: nothing is missing. */
export function shortfallNote(receipt: Receipt, messages: NoteMessages, language: Language): OrderNote | null {
  const { paymentId, paid, total, acceptedBy } = receipt;
  if (paid.currency !== total.currency || paid.minor >= total.minor) return null;
  const missing = { minor: total.minor - paid.minor, currency: total.currency };
  const amounts = { paid: formatMoney(paid, language), total: formatMoney(total, language) };
  const text = messages.shortfall({ ...amounts, missing: formatMoney(missing, language) }, acceptedBy ?? null);
  return { kind: "note", key: `shortfall:${paymentId}`, text };
}

/** Tells what became of a refund, in the words that `describe` chooses. */
export function refundNote(
  { amount, status, refundId, key }: RefundToRecord,
  describe: (amount: string) => string,
  language: Language,
): OrderNote {
  const text = `${describe(formatMoney(amount, language))} ${refundId}`.trim();
  return { kind: "note", key: `refund:${status}:${key}`, text };
}

/** What is said of a refund that changes nothing on its order, which shows another payment or none. */
export function otherRefund(
  messages: NoteMessages,
  { paidBy, isHeld }: { readonly paidBy: string | null; readonly isHeld: boolean },
): (amount: string) => string {
  if (paidBy !== null) return messages.secondPaymentRefunded;
  return isHeld ? messages.heldPaymentRefunded : messages.unpaidOrderRefunded;
}
