import { type Dispute, decimalText, explainDispute, formatMoney, type Language, type Payment } from "@tillkit/core";
import { explainEquation, type MoneyDecisions } from "@tillkit/runtime";

/** Where the money of a payment is, and what a person may decide about it. Texts in the reader's language. */
export type MoneyView = {
  /** What *Refund* would send back. Negative when more left the payment than arrived. */
  readonly amount_refundable: string;
  /** The sums in one sentence; null while nothing was refunded and nothing is disputed. */
  readonly money: string | null;
  /** What a refund may take at most if a person confirms that it goes over a dispute; null where no dispute holds money. */
  readonly over_dispute: { readonly at_most: string; readonly decimal: string; readonly disputed: string } | null;
  /** Nothing names the transaction that paid this payment: a person may name it. */
  readonly can_name_transaction: boolean;
  readonly disputes: readonly {
    readonly id: string;
    readonly text: string;
    /** It ended without an outcome, and a person may say who won. */
    readonly can_decide: boolean;
  }[];
};

export function toMoneyView(
  { amountReceived }: Pick<Payment, "amountReceived">,
  disputes: readonly Dispute[],
  { equation, overDispute, canNameTransaction, disputesWithoutOutcome }: MoneyDecisions,
  language: Language,
): MoneyView {
  return {
    amount_refundable: formatMoney(equation.available, language),
    money: amountReceived && explainEquation(equation, language),
    over_dispute: overDispute && {
      at_most: formatMoney(overDispute.atMost, language),
      decimal: decimalText(overDispute.atMost),
      disputed: formatMoney(overDispute.disputed, language),
    },
    can_name_transaction: canNameTransaction,
    disputes: disputes.map((dispute) => ({
      id: dispute.id,
      text: explainDispute(dispute, language),
      can_decide: disputesWithoutOutcome.some(({ id }) => id === dispute.id),
    })),
  };
}
