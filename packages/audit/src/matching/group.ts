import type { DisputeFact, OrderFact, PaymentFact, RefundFact } from "../facts/facts.ts";

/**
 * Why an order and a payment are together. `identity`: one of them names the other. `resemblance`: amount, time or customer fit, and
 * nothing names anything; what follows from it is never called certain. `none`: the group has one side only.
 */
export type Evidence = "identity" | "resemblance" | "none";

/** What made two sides resemble each other. */
export type Reason = "amount" | "time" | "customer" | "named_twice";

/** Orders and movements that belong together. Each order and each movement is in exactly one group. */
export type Group = {
  readonly orders: readonly OrderFact[];
  readonly payments: readonly PaymentFact[];
  readonly refunds: readonly RefundFact[];
  readonly disputes: readonly DisputeFact[];
  readonly evidence: Evidence;
  readonly reasons: readonly Reason[];
};
