import { decimalText, type Equation, formatMoney, type Language } from "@tillkit/core";
import {
  explainDispute,
  explainEquation,
  isOffered,
  offerOf,
  refundOffered,
  type View,
} from "@tillkit/core/back-office";

/** Where the money of a payment is, and what a person may decide about it. Texts in the reader's language. */
export type MoneyView = {
  /** What *Refund* would send back. */
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
  /** The shopper paid the same page more than once. These are the other payments: the money is the shopper's, and is refunded by itself. */
  readonly further_transactions: readonly {
    readonly id: string;
    readonly amount_received: string;
    readonly money: string | null;
    /** What its *Refund* would send back; null where nothing can be refunded. */
    readonly amount_refundable: string | null;
  }[];
};

/** @param now in milliseconds since 1970 */
export function toMoneyView(view: View, language: Language, now: number): MoneyView {
  const { payment, movements, sum, sums } = view;
  const refund = offerOf(view, "refund");
  const [first, ...others] = sums;
  const overDispute = refund?.overDispute ?? null;
  return {
    amount_refundable: formatMoney(refund?.max ?? first.available, language),
    money: payment.amountReceived && explainEquation(sum, language),
    over_dispute: overDispute && {
      at_most: formatMoney(overDispute.atMost, language),
      decimal: decimalText(overDispute.atMost),
      disputed: formatMoney(overDispute.disputed, language),
    },
    can_name_transaction: isOffered(view, "nameTransaction"),
    disputes: movements.disputes.map((dispute) => ({
      id: dispute.id,
      text: explainDispute(dispute, language, { now }),
      can_decide: offerOf(view, "disputeOutcome", dispute.id)?.why === null,
    })),
    further_transactions: others.flatMap((equation) => furtherTransaction(view, equation, language)),
  };
}

function furtherTransaction(
  view: View,
  equation: Equation,
  language: Language,
): MoneyView["further_transactions"][number][] {
  const { transactionId: id, received } = equation;
  if (id === null) return [];
  const refundable = refundOffered(view, id);
  return [
    {
      id,
      amount_received: formatMoney(received, language),
      money: explainEquation(equation, language),
      amount_refundable: refundable && formatMoney(refundable, language),
    },
  ];
}
