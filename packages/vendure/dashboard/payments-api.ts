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
  readonly seen: string | null;
  readonly canAccept: boolean;
  readonly canRefund: boolean;
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
  readonly timeline: readonly { readonly at: string; readonly text: string }[];
};

const FIELDS = `id orderCode amount createdAt headline finding seen canAccept canRefund
  refunds { amount state } timeline { at text }`;
const OF_ORDER = `query ($code: String!) { payments: tillkitPaymentsOfOrder(orderCode: $code) { ${FIELDS} } }`;
const TO_REVIEW = `query { payments: tillkitPaymentsToReview { ${FIELDS} } }`;
const ACCEPT = "mutation ($id: String!, $seen: String!) { acceptTillkitPayment(id: $id, seen: $seen) { id } }";
const REFUND = "mutation ($id: String!) { refundTillkitPayment(id: $id) { id } }";

export type Payments = {
  readonly payments: readonly ShownPayment[] | null;
  readonly error: string | null;
  accept(payment: ShownPayment): Promise<void>;
  refund(payment: ShownPayment): Promise<void>;
};

/** Loads the payments of this order, or with null the payments that an owner must review. */
export function usePayments(orderCode: string | null): Payments {
  const [payments, setPayments] = useState<readonly ShownPayment[] | null>(null);
  const [error, setError] = useState<string | null>(null);

  const load = useCallback(async () => {
    try {
      const request = orderCode === null ? api.query(TO_REVIEW) : api.query(OF_ORDER, { code: orderCode });
      const answer: unknown = await request;
      setPayments((answer as { payments: readonly ShownPayment[] }).payments);
      setError(null);
    } catch (cause) {
      setError(messageOf(cause));
    }
  }, [orderCode]);

  useEffect(() => {
    void load();
  }, [load]);

  async function change(mutation: string, variables: Readonly<Record<string, unknown>>): Promise<void> {
    try {
      await api.mutate(mutation, variables);
      await load();
    } catch (cause) {
      setError(messageOf(cause));
    }
  }

  return {
    payments,
    error,
    accept: ({ id, seen }) => change(ACCEPT, { id, seen: seen ?? "" }),
    refund: ({ id }) => change(REFUND, { id }),
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
