import {
  decimalText,
  explainDispute,
  explainFinding,
  explainPayment,
  formatMoney,
  gatherMovements,
  isAcceptable,
  type Language,
  type Payment,
} from "@tillkit/core";
import {
  explainDoubt,
  explainEquation,
  explainLostPayment,
  type MoneyDecisions,
  moneyDecisions,
} from "@tillkit/runtime";
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
  readonly canRefund: boolean;
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
  readonly timeline: readonly { readonly at: Date; readonly text: string }[];
};

export async function toPaymentView(
  { engine, ledger }: VendureCheckout,
  payment: Payment,
  language: Language,
): Promise<PaymentView> {
  const { id, ref, state, amountDue, createdAt, transactionId, finding } = payment;
  const [movements, { headline, entries }] = await Promise.all([
    gatherMovements(ledger, id),
    explainPayment(engine, { paymentId: id }, language),
  ]);
  const decisions = moneyDecisions(payment, movements, engine.clock.now());
  const { equation, refundsInDoubt, disputesWithoutOutcome, canNameTransaction, seen } = decisions;
  const isHeld = state === "review" || state === "duplicate";
  return {
    id,
    orderCode: ref.orderId,
    state,
    transactionId,
    headline,
    amount: formatMoney(amountDue, language),
    createdAt: new Date(createdAt),
    finding: finding && explainFinding(finding, language),
    money: payment.amountReceived && explainEquation(equation, language),
    problem: problemOf(payment, decisions, language),
    seen,
    canAccept: state === "review" && isAcceptable(finding),
    canRefund: isHeld && equation.available.minor > 0,
    overDispute: overDisputeOf(decisions, language),
    canNameTransaction,
    refunds: movements.refunds.map((refund) => ({
      key: refund.key,
      amount: formatMoney(refund.amount, language),
      state: refund.state,
      canTellOutcome: refundsInDoubt.includes(refund),
    })),
    disputes: movements.disputes.map((dispute) => ({
      id: dispute.id,
      text: explainDispute(dispute, language),
      canDecide: disputesWithoutOutcome.includes(dispute),
    })),
    timeline: entries.map(({ at, text }) => ({ at: new Date(at), text })),
  };
}

function problemOf(
  { lostToDispute }: Payment,
  { refundsInDoubt, disputesWithoutOutcome, equation }: MoneyDecisions,
  language: Language,
): string | null {
  const [doubtful] = refundsInDoubt;
  if (doubtful) return explainDoubt(doubtful.amount, language);
  const [dispute] = disputesWithoutOutcome;
  if (dispute) return explainDispute(dispute, language);
  return lostToDispute ? explainLostPayment(equation, language) : null;
}

function overDisputeOf({ overDispute }: MoneyDecisions, language: Language): PaymentView["overDispute"] {
  return (
    overDispute && {
      atMost: formatMoney(overDispute.atMost, language),
      decimal: decimalText(overDispute.atMost),
      disputed: formatMoney(overDispute.disputed, language),
    }
  );
}
