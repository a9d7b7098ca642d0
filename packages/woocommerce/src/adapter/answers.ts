import type { Receipt, StoreAnswer } from "@tillkit/core";

/** What the owner finds at the service. */
export function transactionOf({ transactionId, sessionId }: Receipt): string {
  return transactionId ?? sessionId;
}

export function gone(orderId: string): StoreAnswer {
  return { outcome: "gone", detail: `The shop has no order ${orderId}.` };
}
