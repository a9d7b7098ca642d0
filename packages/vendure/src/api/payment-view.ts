import {
  decimalText,
  type Equation,
  explainFinding,
  explainPayment,
  formatMoney,
  type Language,
  type Payment,
} from "@tillkit/core";
import {
  explainDispute,
  explainDoubt,
  explainEquation,
  explainLostPayment,
  isOffered,
  offerOf,
  refundOffered,
  type View,
  viewPayment,
} from "@tillkit/core/back-office";
import type { VendureCheckout } from "../open-checkout.ts";

/** A payment as the dashboard shows it: texts and amounts in the reader's language. */
export type PaymentView = {
  readonly id: string;
  readonly orderCode: string;
  readonly state: string;
  readonly amount: string;
  readonly createdAt: Date;
  readonly transactionId: string | null;
  readonly headline: string;
  readonly finding: string | null;
  /** Where the payment's money is, in one sentence; null while nothing was refunded and nothing is disputed. */
  readonly money: string | null;
  /** What a person must do about the payment's money; null when there is nothing to do. */
  readonly problem: string | null;
  /** What decisions take as `seen`, so that nobody decides about what the page did not show. */
  readonly seen: string;
  readonly canAccept: boolean;
  /** What a refund sends without a second step; null where none is offered. */
  readonly refundable: string | null;
  /** What a refund may take at most if a person confirms that it goes over a dispute; null where no dispute holds money. */
  readonly overDispute: { readonly atMost: string; readonly decimal: string; readonly disputed: string } | null;
  /** Nothing names the transaction that paid this payment: a person may name it. */
  readonly canNameTransaction: boolean;
  /** `canTellOutcome`: the refund was left without a result, and a person who looked in the service's dashboard may say how it ended. */
  readonly refunds: readonly {
    readonly key: string;
    readonly amount: string;
    readonly state: string;
    readonly canTellOutcome: boolean;
  }[];
  /** `canDecide`: the dispute ended without an outcome, and a person may say who won. */
  readonly disputes: readonly { readonly id: string; readonly text: string; readonly canDecide: boolean }[];
  /** The shopper paid the same page more than once. These are the other payments; each is refunded by itself, or not where `refundable` is null. */
  readonly furtherTransactions: readonly {
    readonly id: string;
    readonly amount: string;
    readonly money: string | null;
    readonly refundable: string | null;
  }[];
  readonly timeline: readonly { readonly at: Date; readonly text: string }[];
};

export async function toPaymentView(
  checkout: VendureCheckout,
  payment: Payment,
  language: Language,
): Promise<PaymentView> {
  const [view, { headline, entries }] = await Promise.all([
    viewPayment(checkout.backOffice, payment),
    explainPayment(checkout.engine, { paymentId: payment.id }, language),
  ]);
  const { id, ref, state, amountDue, amountReceived, createdAt, transactionId, finding } = payment;
  const refund = offerOf(view, "refund");
  const refundable = refundOffered(view);
  const now = checkout.engine.clock.now();
  return {
    id,
    orderCode: ref.orderId,
    state,
    transactionId,
    headline,
    amount: formatMoney(amountDue, language),
    createdAt: new Date(createdAt),
    finding: finding && explainFinding(finding, language),
    money: amountReceived && explainEquation(view.sum, language),
    problem: problemOf(view, language, now),
    seen: view.seen,
    canAccept: isOffered(view, "accept"),
    refundable: refundable && formatMoney(refundable, language),
    overDispute: refund?.overDispute
      ? {
          atMost: formatMoney(refund.overDispute.atMost, language),
          decimal: decimalText(refund.overDispute.atMost),
          disputed: formatMoney(refund.overDispute.disputed, language),
        }
      : null,
    canNameTransaction: isOffered(view, "nameTransaction"),
    refunds: view.movements.refunds.map(({ key, amount, state: refundState }) => ({
      key,
      amount: formatMoney(amount, language),
      state: refundState,
      canTellOutcome: offerOf(view, "looked", key)?.why === null,
    })),
    disputes: view.movements.disputes.map((dispute) => ({
      id: dispute.id,
      text: explainDispute(dispute, language, { now }),
      canDecide: offerOf(view, "disputeOutcome", dispute.id)?.why === null,
    })),
    furtherTransactions: view.sums.slice(1).flatMap((equation) => furtherTransaction(view, equation, language)),
    timeline: entries.map(({ at, text }) => ({ at: new Date(at), text })),
  };
}

function furtherTransaction(
  view: View,
  equation: Equation,
  language: Language,
): PaymentView["furtherTransactions"][number][] {
  const { transactionId: id, received } = equation;
  if (id === null) return [];
  const refundable = refundOffered(view, id);
  return [
    {
      id,
      amount: formatMoney(received, language),
      money: explainEquation(equation, language),
      refundable: refundable && formatMoney(refundable, language),
    },
  ];
}

function problemOf(view: View, language: Language, now: number): string | null {
  const { payment, movements, sum } = view;
  const doubtful = movements.refunds.find(({ key }) => offerOf(view, "looked", key)?.why === null);
  if (doubtful) return explainDoubt(doubtful.amount, language);
  const dispute = movements.disputes.find(({ id }) => offerOf(view, "disputeOutcome", id)?.why === null);
  if (dispute) return explainDispute(dispute, language, { now });
  return payment.lostToDispute ? explainLostPayment(sum, language) : null;
}
