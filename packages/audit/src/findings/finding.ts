import { createHash } from "node:crypto";
import type { Money } from "@tillkit/core";
import type { OrderFact, PaymentFact } from "../facts/facts.ts";
import type { Reason } from "../matching/group.ts";

/** In the order of the report: money that is missing or due first. */
export const FINDING_KINDS = [
  "paid_not_shown",
  "shown_without_money",
  "two_payments",
  "payment_on_two_orders",
  "amount_differs",
  "refund_on_one_side",
  "cancelled_and_kept",
  "dispute_unknown",
  "test_money",
  "money_of_nobody",
  "balance_differs",
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** `certain`: the ids say so. `likely`: something had to be assumed, and `because` names it. */
export type Certainty = "certain" | "likely";
export type Because = Reason | "method_not_shown" | "payouts_not_listed";

/** What is wrong, since when, for how much. A fact without a sentence; `texts` makes those. Times in milliseconds since 1970. */
export type Finding = {
  /** The same for the same fault in every later audit. */
  readonly key: string;
  readonly kind: FindingKind;
  readonly certainty: Certainty;
  readonly because: readonly Because[];
  /** The sum in question. Never negative. */
  readonly amount: Money;
  readonly since: number;
  readonly orders: readonly OrderFact[];
  readonly payments: readonly PaymentFact[];
  /** `refund_on_one_side`: who shows the refund. */
  readonly shownBy: "shop" | "service" | null;
  /** `amount_differs`: what the order asks; `balance_differs`: the change that the movements make. */
  readonly expected: Money | null;
  /** `amount_differs`: what arrived; `balance_differs`: the change of the balance. */
  readonly actual: Money | null;
};

type NewFinding = Omit<Finding, "key" | "shownBy" | "expected" | "actual"> & Partial<Finding>;

export function newFinding(finding: NewFinding): Finding {
  const { kind, orders, payments, shownBy = null, expected = null, actual = null } = finding;
  const names = [
    kind,
    shownBy ?? "",
    ...orders.map(({ shop, id }) => `${shop}/${id}`).sort(),
    ...payments.map(({ id }) => id).sort(),
    ...(kind === "balance_differs" ? [finding.amount.currency] : []),
  ];
  const key = createHash("sha256").update(JSON.stringify(names)).digest("hex").slice(0, 20);
  return { ...finding, key, shownBy, expected, actual };
}
