import {
  explainFinding,
  explainPayment,
  findingKey,
  formatMoney,
  isAcceptable,
  type Language,
  type Payment,
  refundableAmount,
} from "@tillkit/core";
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
  /** What `acceptTillkitPayment` takes as `seen`, so that nobody accepts a difference that the page did not show. */
  readonly seen: string | null;
  readonly canAccept: boolean;
  readonly canRefund: boolean;
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
  readonly timeline: readonly { readonly at: Date; readonly text: string }[];
};

export async function toPaymentView(
  { engine, ledger }: VendureCheckout,
  payment: Payment,
  language: Language,
): Promise<PaymentView> {
  const { id, ref, state, amountDue, createdAt, transactionId, finding } = payment;
  const [refunds, { headline, entries }] = await Promise.all([
    ledger.refunds(id),
    explainPayment(engine, { paymentId: id }, language),
  ]);
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
    seen: finding && findingKey(finding),
    canAccept: state === "review" && isAcceptable(finding),
    canRefund: isHeld && refundableAmount(payment, refunds).minor > 0,
    refunds: refunds.map((refund) => ({ amount: formatMoney(refund.amount, language), state: refund.state })),
    timeline: entries.map(({ at, text }) => ({ at: new Date(at), text })),
  };
}
