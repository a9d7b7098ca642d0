import type { OrderRef } from "@tillkit/core";
import type { DecisionReason } from "./decision-reasons.ts";

/** What the ledger knows about the money of an order that its owner must see in the order list. */
export type OrderMoney = {
  /** Why money of this order waits for a decision of the owner; empty when none does. */
  readonly reasons: readonly DecisionReason[];
  /** The ids of the payments whose money lost disputes took back. */
  readonly lost: readonly string[];
  /** The ids of the payments that were refunded in full. */
  readonly refunded: readonly string[];
};

export type ReadOrderMoney = (ref: OrderRef) => Promise<OrderMoney>;
