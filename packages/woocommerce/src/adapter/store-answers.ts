import type { Receipt, StoreAnswer } from "@tillkit/core";

/** The transaction id of the order: the service's transaction, or its session while the transaction is unknown. */
export function transactionReference({ transactionId, sessionId }: Receipt): string {
  return transactionId ?? sessionId;
}

export function orderGone(orderId: string): StoreAnswer {
  return { outcome: "gone", detail: `The shop has no order ${orderId}.` };
}

/** @param paidBy a payment id, or `outside`, `owner`, `unclear` */
export function paidOtherwise({ id }: { readonly id: number | string }, paidBy: string | null): StoreAnswer {
  return {
    outcome: "other-payment",
    detail: DETAILS[paidBy ?? ""]?.(id) ?? `Order ${id} shows the payment ${paidBy}.`,
  };
}

const DETAILS: Readonly<Record<string, (id: number | string) => string>> = {
  outside: (id) => `Order ${id} was paid by another payment method.`,
  owner: (id) => `Order ${id} was set to paid by hand.`,
  unclear: (id) => `Order ${id} is set to paid, and the shop does not know which payment paid it.`,
};
