import {
  explainPayment,
  formatMoney,
  isAcceptable,
  type Language,
  type Payment,
  type PaymentState,
} from "@tillkit/core";
import { sentenceOf } from "../adapter/words.ts";
import { type Collection, readCollection } from "../shop/collection.ts";
import { displayIdOf } from "../shop/order.ts";
import { heldByHand } from "../shop/proof.ts";
import type { Till } from "../till/open-till.ts";

/** A payment as the admin shows it: sentences in the reader's language, no personal data. Times in milliseconds since 1970. */
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
  /** What differs, in one sentence. */
  readonly finding: string | null;
  readonly can_accept: boolean;
  readonly can_refund: boolean;
  readonly refunds: readonly {
    readonly amount: string;
    readonly state: string;
    readonly refund_id: string | null;
  }[];
  readonly history: readonly { readonly at: number; readonly who: string; readonly text: string }[];
};

/** Money that an owner may send back from the page: what arrived and pays nothing. */
const RETURNABLE: readonly PaymentState[] = ["review", "duplicate"];

/** It counts for an order that its owner set to paid: Medusa's own refund would send nothing. */
function isHeldByHand({ id, state }: Payment, collection: Collection | null): boolean {
  return state === "recorded" && collection !== null && heldByHand(collection, id) !== null;
}

export async function viewOf(till: Till, payment: Payment, language: Language): Promise<PaymentView> {
  const { id, state, environment, amountDue, createdAt, ref, attempt, session, transactionId, finding } = payment;
  const [{ headline, entries }, refunds, collection] = await Promise.all([
    explainPayment(till.engine, { paymentId: id }, language),
    till.ledger.refunds(id),
    readCollection(till.container, ref.orderId),
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
    order_name: orderId === null ? null : await displayIdOf(till.container, orderId),
    checkout_session_id: session?.id ?? null,
    transaction_id: transactionId,
    headline,
    finding: finding === null ? null : sentenceOf(finding, language),
    can_accept: state === "review" && isAcceptable(finding),
    can_refund: RETURNABLE.includes(state) || isHeldByHand(payment, collection),
    refunds: refunds.map((refund) => ({
      amount: formatMoney(refund.amount, language),
      state: refund.state,
      refund_id: refund.refundId,
    })),
    history: entries.map(({ at, actor, text }) => ({ at, who: actor, text })),
  };
}
