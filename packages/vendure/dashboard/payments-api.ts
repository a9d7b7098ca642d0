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
  readonly canAccept: boolean;
  readonly canRefund: boolean;
  readonly refunds: readonly { readonly amount: string; readonly state: string }[];
  readonly timeline: readonly { readonly at: string; readonly text: string }[];
};

const FIELDS = `id orderCode amount createdAt headline finding canAccept canRefund
  refunds { amount state } timeline { at text }`;
const OF_ORDER = `query ($code: String!) { payments: tillkitPaymentsOfOrder(orderCode: $code) { ${FIELDS} } }`;
const TO_REVIEW = `query { payments: tillkitPaymentsToReview { ${FIELDS} } }`;

export type Payments = {
  readonly payments: readonly ShownPayment[] | null;
  readonly error: string | null;
  decide(decision: "accept" | "refund", id: string): Promise<void>;
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

  return {
    payments,
    error,
    async decide(decision, id) {
      try {
        await api.mutate(`mutation ($id: String!) { ${decision}TillkitPayment(id: $id) { id } }`, { id });
        await load();
      } catch (cause) {
        setError(messageOf(cause));
      }
    },
  };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
