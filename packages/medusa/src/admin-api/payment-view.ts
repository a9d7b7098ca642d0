import {
  explainPayment,
  formatMoney,
  isAcceptable,
  type Language,
  type Payment,
  type PaymentState,
} from "@tillkit/core";
import { describeFinding } from "../adapter/notice-texts.ts";
import type { CheckoutRuntime } from "../runtime/open-runtime.ts";
import { readDisplayId } from "../store/order.ts";
import { manualPaymentFor } from "../store/paid-by.ts";
import { type PaymentCollection, readCollection } from "../store/payment-collection.ts";

/** A payment as the admin shows it: texts in the reader's language, no personal data, times in milliseconds since 1970. */
export type PaymentView = {
  readonly id: string;
  readonly state: PaymentState;
  readonly environment: "test" | "live";
  readonly amount: string;
  readonly created_at: number;
  readonly payment_collection_id: string;
  readonly payment_session_id: string;
  readonly order_id: string | null;
  /** `#1024` */
  readonly order_name: string | null;
  readonly checkout_session_id: string | null;
  readonly transaction_id: string | null;
  readonly headline: string;
  /** One sentence about what differs. */
  readonly finding: string | null;
  readonly can_accept: boolean;
  readonly can_refund: boolean;
  readonly refunds: readonly {
    readonly amount: string;
    readonly state: string;
    readonly refund_id: string | null;
  }[];
  readonly timeline: readonly { readonly at: number; readonly actor: string; readonly text: string }[];
};

/** States in which a payment is received and pays no order, so that the admin page may refund it. */
const REFUNDABLE_STATES: readonly PaymentState[] = ["review", "duplicate"];

/** True for a payment accepted on an order that the owner marked as paid: Medusa's own refund would send nothing. */
function isManuallyCaptured({ id, state }: Payment, collection: PaymentCollection | null): boolean {
  return state === "recorded" && collection !== null && manualPaymentFor(collection, id) !== null;
}

export async function toPaymentView(
  runtime: CheckoutRuntime,
  payment: Payment,
  language: Language,
): Promise<PaymentView> {
  const { id, state, environment, amountDue, createdAt, ref, attempt, session, transactionId, finding } = payment;
  const [{ headline, entries }, refunds, collection] = await Promise.all([
    explainPayment(runtime.engine, { paymentId: id }, language),
    runtime.ledger.refunds(id),
    readCollection(runtime.container, ref.orderId),
  ]);
  const orderId = collection?.orderId ?? null;
  return {
    id,
    state,
    environment,
    amount: formatMoney(amountDue, language),
    created_at: createdAt,
    payment_collection_id: ref.orderId,
    payment_session_id: attempt,
    order_id: orderId,
    order_name: orderId === null ? null : await readDisplayId(runtime.container, orderId),
    checkout_session_id: session?.id ?? null,
    transaction_id: transactionId,
    headline,
    finding: finding === null ? null : describeFinding(finding, language),
    can_accept: state === "review" && isAcceptable(finding),
    can_refund: REFUNDABLE_STATES.includes(state) || isManuallyCaptured(payment, collection),
    refunds: refunds.map((refund) => ({
      amount: formatMoney(refund.amount, language),
      state: refund.state,
      refund_id: refund.refundId,
    })),
    timeline: entries.map(({ at, actor, text }) => ({ at, actor, text })),
  };
}
