import { decimalText, explainRefusal, type Language, type Money, parseTypedAmount } from "@tillkit/core";
import { mostRefundable, prepareRefund, type RefundSubject, type View } from "@tillkit/core/back-office";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";

/** What an operator wrote into the form of a refund. `over`: the disputed sum that the operator has confirmed. */
export type RefundFields = { readonly amount: string; readonly reason: string; readonly over?: string };

/** `overDispute`: the disputed sum that the person saw and confirmed; null for a refund that leaves disputed money alone. */
export type RefundInput = {
  readonly amount: Money;
  readonly reason: RefundReason;
  readonly overDispute: Money | null;
};

/** A sentence for the person who wrote the input. `disputed`: the same input may be sent once more, with this sum confirmed. */
export type RefundProblem = { readonly problem: string; readonly disputed?: Money };

/** Reads the input for a refund of the chosen transaction. */
export function readRefundInput(
  view: View,
  subject: RefundSubject,
  fields: RefundFields,
  language: Language,
): RefundInput | RefundProblem {
  const texts = refundTexts[language];
  const most = mostRefundable(subject.equation);
  const amount = readAmount(fields.amount, most.currency);
  if (amount === null) return { problem: texts.amountUnreadable(decimalText(most)) };
  const reason = readReason(fields.reason);
  if (reason === null) return { problem: texts.reasonMissing };
  const confirmed = readAmount(fields.over ?? "", most.currency);
  const { why, disputed } = prepareRefund(view, subject, { amount, confirmed });
  if (why === null) return { amount, reason, overDispute: disputed };
  return { problem: explainRefusal(why, language), ...(disputed === null ? {} : { disputed }) };
}

/** The fields that the confirmation page sends back as the preview filled them in; null when somebody changed them. */
export function readConfirmedRefund(
  { equation }: RefundSubject,
  fields: Readonly<Record<string, string>>,
): { readonly amount: Money; readonly reason: RefundReason } | null {
  const amount = readAmount(fields.amount ?? "", equation.received.currency);
  const reason = readReason(fields.reason);
  return amount && reason && { amount, reason };
}

function readReason(text: string | undefined): RefundReason | null {
  return REFUND_REASONS.find((known) => known === text) ?? null;
}

/** Null for text that is no clear amount, such as `1,000.50`. */
function readAmount(text: string, currency: string): Money | null {
  try {
    return parseTypedAmount(text, currency);
  } catch {
    return null;
  }
}
