import type { Receipt, StoreAnswer } from "@tillkit/core";

/** What the owner finds at the service. */
export function transactionOf({ transactionId, sessionId }: Receipt): string {
  return transactionId ?? sessionId;
}

export function gone(orderId: string): StoreAnswer {
  return { outcome: "gone", detail: `The shop has no order ${orderId}.` };
}

/** @param paidBy a payment, or in one word by what else the order was paid */
export function otherPayment({ id }: { readonly id: number | string }, paidBy: string | null): StoreAnswer {
  return {
    outcome: "other-payment",
    detail: DETAILS[paidBy ?? ""]?.(id) ?? `Order ${id} shows the payment ${paidBy}.`,
  };
}

const DETAILS: Readonly<Record<string, (id: number | string) => string>> = {
  outside: (id) => `Order ${id} was paid by another payment method.`,
  owner: (id) => `Order ${id} was set to paid by hand.`,
  unclear: (id) => `Order ${id} is set to paid, and the shop cannot tell by what.`,
};
