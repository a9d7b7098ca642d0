import type { Receipt, StoreAnswer } from "@tillkit/core";
import { isPayable } from "../store/woo-order.ts";

/** The transaction id of the order: the service's transaction, or its session while the transaction is unknown. */
export function transactionReference({ transactionId, sessionId }: Receipt): string {
  return transactionId ?? sessionId;
}

export const ORDER_GONE: StoreAnswer = { outcome: "gone" };

/** The order's status or its total changed since the payment was verified. */
export function notPayable(status: string | null): StoreAnswer {
  if (status === null || isPayable({ status, needs_payment: false }))
    return { outcome: "not-payable", why: { kind: "total_changed" } };
  return { outcome: "not-payable", why: { kind: "order_state", state: status } };
}
