import type { Language } from "@tillkit/core";
import {
  amountUnitOf,
  decimalText,
  formatMoney,
  type Money,
  type Payment,
  parseMoney,
  type Refund,
  refundableAmount,
  toWire,
} from "@tillkit/core";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";

/** What an operator wrote into the form of a refund. */
export type RefundFields = { readonly amount: string; readonly reason: string };

export type RefundInput = { readonly amount: Money; readonly reason: RefundReason };

/** The input, or a sentence for the person who wrote it. */
export function readRefundInput(
  payment: Payment,
  refunds: readonly Refund[],
  fields: RefundFields,
  language: Language,
): RefundInput | { readonly problem: string } {
  const texts = refundTexts[language];
  const left = refundableAmount(payment, refunds);
  const amount = readAmount(fields.amount, payment, left.currency);
  if (amount === null) return { problem: texts.amountUnreadable(decimalText(left)) };
  if (amount.minor > left.minor) return { problem: texts.amountTooLarge(formatMoney(left, language)) };
  const reason = REFUND_REASONS.find((one) => one === fields.reason);
  return reason === undefined ? { problem: texts.reasonMissing } : { amount, reason };
}

// People write `5 000` and `12,50`. Text with two separators is rejected, because nobody can tell what it means.
function readAmount(text: string, payment: Payment, currency: string): Money | null {
  try {
    const amount = parseMoney(text.replace(/[\s\u00a0\u202f]/g, "").replace(",", "."), currency);
    toWire(amount, amountUnitOf(payment));
    return amount;
  } catch {
    return null;
  }
}
