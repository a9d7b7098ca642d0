import { api } from "@vendure/dashboard";
import { useCallback, useEffect, useState } from "react";

/** A payment as the plugin's Admin API returns it, in the language of the dashboard's content. */
export type ShownPayment = {
  readonly id: string;
  readonly orderCode: string;
  readonly amount: string;
  readonly createdAt: string;
  readonly headline: string;
  readonly finding: string | null;
  readonly money: string | null;
  readonly problem: string | null;
  readonly seen: string;
  readonly canAccept: boolean;
  readonly refundable: string | null;
  readonly overDispute: { readonly atMost: string; readonly decimal: string; readonly disputed: string } | null;
  readonly canNameTransaction: boolean;
  readonly refunds: readonly {
    readonly key: string;
    readonly amount: string;
    readonly state: string;
    readonly canTellOutcome: boolean;
  }[];
  readonly disputes: readonly { readonly id: string; readonly text: string; readonly canDecide: boolean }[];
  readonly furtherTransactions: readonly {
    readonly id: string;
    readonly amount: string;
    readonly money: string | null;
    readonly refundable: string | null;
  }[];
  readonly timeline: readonly { readonly at: string; readonly text: string }[];
};

/** A transaction that may have paid a payment that names none. */
export type Candidate = { readonly id: string; readonly amount: string; readonly at: string };

const FIELDS = `id orderCode amount createdAt headline finding money problem seen canAccept refundable canNameTransaction
  overDispute { atMost decimal disputed } refunds { key amount state canTellOutcome } disputes { id text canDecide }
  furtherTransactions { id amount money refundable }
  timeline { at text }`;
const OF_ORDER = `query ($code: String!) { payments: tillkitPaymentsOfOrder(orderCode: $code) { ${FIELDS} } }`;
const TO_REVIEW = `query { payments: tillkitPaymentsToReview { ${FIELDS} } }`;
const ACCEPT = "mutation ($id: String!, $seen: String!) { acceptTillkitPayment(id: $id, seen: $seen) { id } }";
const REFUND = `mutation ($id: String!, $seen: String!, $transaction: String) {
  refundTillkitPayment(id: $id, seen: $seen, transaction: $transaction) { id } }`;
const REFUND_OVER_DISPUTE = `mutation ($id: String!, $seen: String!, $amount: String!) {
  refundTillkitPaymentOverDispute(id: $id, seen: $seen, amount: $amount) { id } }`;
const SETTLE_REFUND = `mutation ($id: String!, $seen: String!, $refund: String!, $wasMade: Boolean!) {
  settleTillkitRefund(id: $id, seen: $seen, refund: $refund, wasMade: $wasMade) { id } }`;
const NAME_TRANSACTION = `mutation ($id: String!, $seen: String!, $transaction: String!) {
  nameTillkitTransaction(id: $id, seen: $seen, transaction: $transaction) { id } }`;
const DECIDE_DISPUTE = `mutation ($id: String!, $seen: String!, $dispute: String!, $wasWon: Boolean!) {
  decideTillkitDispute(id: $id, seen: $seen, dispute: $dispute, wasWon: $wasWon) { id } }`;
const ONE = `query ($id: String!) { payment: tillkitPayment(id: $id) { ${FIELDS} } }`;
const CANDIDATES = "query ($id: String!) { candidates: tillkitTransactionsOf(id: $id) { id amount at } }";

/** What an owner may decide about a payment. Each decision names what was shown. */
export type PaymentDecisions = {
  accept(payment: ShownPayment): Promise<void>;
  /** `transaction`: a further one of the payment; null: the one that paid it. */
  refund(payment: ShownPayment, transaction: string | null): Promise<void>;
  refundOverDispute(payment: ShownPayment, amount: string): Promise<void>;
  /** The owner has looked in the service's dashboard. */
  settleRefund(payment: ShownPayment, refund: string, wasMade: boolean): Promise<void>;
  candidates(payment: ShownPayment): Promise<readonly Candidate[]>;
  nameTransaction(payment: ShownPayment, transaction: string): Promise<void>;
  decideDispute(payment: ShownPayment, dispute: string, wasWon: boolean): Promise<void>;
};

export type Payments = {
  readonly payments: readonly ShownPayment[] | null;
  readonly error: string | null;
  readonly decisions: PaymentDecisions;
};

/** Which payments a page shows: those of an order, those that wait for a person, or one, to which a link led. */
export type Shown = { readonly orderCode: string } | { readonly id: string } | "toReview";

/** Loads the payments that a page shows. */
export function usePayments(shown: Shown): Payments {
  const key = JSON.stringify(shown);
  const [payments, setPayments] = useState<readonly ShownPayment[] | null>(null);
  const [error, setError] = useState<string | null>(null);

  const load = useCallback(async () => {
    try {
      setPayments(await read(JSON.parse(key) as Shown));
      setError(null);
    } catch (cause) {
      setError(messageOf(cause));
    }
  }, [key]);

  useEffect(() => {
    void load();
  }, [load]);

  async function change(mutation: string, variables: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      await api.mutate(mutation, variables);
      await load();
    } catch (cause) {
      // The sentence asks to look again, so the page shows the payment as it is now.
      await load();
      setError(messageOf(cause));
    }
  }

  return {
    payments,
    error,
    decisions: {
      accept: ({ id, seen }) => change(ACCEPT, { id, seen }),
      refund: ({ id, seen }, transaction) => change(REFUND, { id, seen, transaction }),
      refundOverDispute: ({ id, seen }, amount) => change(REFUND_OVER_DISPUTE, { id, seen, amount }),
      settleRefund: ({ id, seen }, refund, wasMade) => change(SETTLE_REFUND, { id, seen, refund, wasMade }),
      nameTransaction: ({ id, seen }, transaction) => change(NAME_TRANSACTION, { id, seen, transaction }),
      decideDispute: ({ id, seen }, dispute, wasWon) => change(DECIDE_DISPUTE, { id, seen, dispute, wasWon }),
      async candidates({ id }) {
        try {
          const answer: unknown = await api.query(CANDIDATES, { id });
          return (answer as { candidates: readonly Candidate[] }).candidates;
        } catch (cause) {
          setError(messageOf(cause));
          return [];
        }
      },
    },
  };
}

async function read(shown: Shown): Promise<readonly ShownPayment[]> {
  if (shown !== "toReview" && "id" in shown) {
    const answer: unknown = await api.query(ONE, { id: shown.id });
    const { payment } = answer as { payment: ShownPayment | null };
    return payment === null ? [] : [payment];
  }
  const answer: unknown =
    shown === "toReview" ? await api.query(TO_REVIEW) : await api.query(OF_ORDER, { code: shown.orderCode });
  return (answer as { payments: readonly ShownPayment[] }).payments;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
