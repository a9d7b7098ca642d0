import type { Language } from "@tillkit/core";
import { amountUnitOf, decimalText, type Equation, formatMoney, type Money, type Payment, toWire } from "@tillkit/core";
import { REFUND_REASONS, type RefundReason, refundTexts } from "../texts/refund-texts.ts";
import { parseTypedAmount } from "./typed-amount.ts";

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

/** Reads the input for a refund of the transaction of `equation`. */
export function readRefundInput(
  payment: Payment,
  equation: Equation,
  fields: RefundFields,
  language: Language,
): RefundInput | RefundProblem {
  const texts = refundTexts[language];
  const { available, disputed } = equation;
  const all = { ...available, minor: available.minor + disputed.minor };
  const most = available.minor > 0 ? available : all;
  const amount = readAmount(fields.amount, payment, most.currency);
  if (amount === null) return { problem: texts.amountUnreadable(decimalText(most)) };
  if (amount.minor > all.minor) return { problem: texts.amountTooLarge(formatMoney(most, language)) };
  const reason = readReason(fields.reason);
  if (reason === null) return { problem: texts.reasonMissing };
  if (amount.minor <= available.minor) return { amount, reason, overDispute: null };
  if (fields.over === decimalText(disputed)) return { amount, reason, overDispute: disputed };
  return { problem: overDisputeProblem(equation, language), disputed };
}

/** The fields that the confirmation page sends back as the preview filled them in; null when somebody changed them. */
export function readConfirmedRefund(
  payment: Payment,
  { received: { currency } }: Equation,
  fields: Readonly<Record<string, string>>,
): { readonly amount: Money; readonly reason: RefundReason } | null {
  const amount = readAmount(fields.amount ?? "", payment, currency);
  const reason = readReason(fields.reason);
  return amount && reason && { amount, reason };
}

function readReason(text: string | undefined): RefundReason | null {
  return REFUND_REASONS.find((known) => known === text) ?? null;
}

function overDisputeProblem(equation: Equation, language: Language): string {
  const text = (part: "received" | "returned" | "leaving" | "disputed" | "available") =>
    formatMoney(equation[part], language);
  return refundTexts[language].overDispute({
    received: text("received"),
    returned: text("returned"),
    leaving: text("leaving"),
    disputed: text("disputed"),
    available: text("available"),
  });
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
