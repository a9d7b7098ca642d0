import type { Language } from "@tillkit/core";
import {
  amountUnitOf,
  decimalText,
  formatMoney,
  type Money,
  type Payment,
  type Refund,
  refundableAmount,
  toWire,
} from "@tillkit/core";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";
import { parseTypedAmount } from "./typed-amount.ts";

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
  const most = refundableAmount(payment, refunds);
  const amount = readAmount(fields.amount, payment, most.currency);
  const exampleInput = decimalText(most);
  if (amount === null) return { problem: texts.amountUnreadable(exampleInput) };
  if (amount.minor > most.minor) return { problem: texts.amountTooLarge(formatMoney(most, language)) };
  const reason = REFUND_REASONS.find((known) => known === fields.reason);
  return reason === undefined ? { problem: texts.reasonMissing } : { amount, reason };
}

/** Null for text that is no clear amount (`1,000.50`) and for an amount that the service cannot refund. */
function readAmount(text: string, payment: Payment, currency: string): Money | null {
  try {
    const amount = parseTypedAmount(text, currency);
    assertWireAmount(amount, payment);
    return amount;
  } catch {
    return null;
  }
}

/** @throws CheckoutError `amount_invalid` when the amount is zero, or has cents while the service counts in whole francs or dollars */
function assertWireAmount(amount: Money, payment: Payment): void {
  toWire(amount, amountUnitOf(payment));
}
