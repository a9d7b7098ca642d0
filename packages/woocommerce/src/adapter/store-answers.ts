import type { StoreAnswer } from "@tillkit/core";
import { isPayable } from "../store/woo-order.ts";

/** The order's status or its total changed since the payment was verified. */
export function notPayable(status: string | null): StoreAnswer {
  if (status === null || isPayable({ status, needs_payment: false }))
    return { outcome: "not-payable", why: { kind: "total_changed" } };
  return { outcome: "not-payable", why: { kind: "order_state", state: status } };
}
