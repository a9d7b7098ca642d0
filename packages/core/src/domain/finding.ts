import type { Money } from "./money.ts";
import type { NotPayable } from "./not-payable.ts";

/**
 * One difference between what must hold before an order is marked paid and what was read. Facts only, and no personal data:
 * `explainFinding` makes the sentence.
 */
export type Finding =
  /** `found` is null where the service reported no exact amount. */
  | { readonly code: "amount_differs"; readonly expected: Money; readonly found: Money | null }
  /** `found` is null where the order has a total that the service cannot take. */
  | { readonly code: "total_changed"; readonly expected: Money; readonly found: Money | null }
  | {
      readonly code: "currency_differs" | "other_session" | "other_environment";
      readonly expected: string;
      readonly found: string;
    }
  /** `expected` is null for the key's own account. */
  | { readonly code: "other_account"; readonly expected: string | null; readonly found: string }
  /** A reference is a signature, so the finding does not contain it. */
  | { readonly code: "other_reference" | "order_gone" }
  /** `why` is null where the store shows the order as not payable: cancelled, sold out or closed. Else the store refused this payment. */
  | { readonly code: "order_not_payable"; readonly why: NotPayable | null }
  /** The service's answer about the session lacks a field that is needed. */
  | { readonly code: "not_verifiable"; readonly missing: SessionField }
  /**
   * The store shows the order as paid, but not by one of our payments: its owner set it to paid, or the store cannot tell what paid it.
   * `markedBy`: who set it, where the store knows. `accepts`: in a waiver, the difference that was accepted by setting the order to paid.
   */
  | {
      readonly code: "paid_outside";
      readonly paidBy: "owner" | "unclear";
      readonly markedBy: string | null;
      readonly accepts?: FindingCode;
    }
  /** No payment of the order arrived within the grace period. */
  | { readonly code: "not_paid" }
  | { readonly code: "refund_failed"; readonly amount: Money }
  /** The order shows the payment as paid, and its money went back before the order showed it. */
  | { readonly code: "refunded_but_shown"; readonly amount: Money }
  /** A lost dispute took `disputed` of the money back. */
  | { readonly code: "lost_to_dispute"; readonly received: Money; readonly disputed: Money };

export type FindingCode = Finding["code"];

/**
 * The findings that a merchant accepts by marking a held order as paid. The other findings leave open whose payment it is, so
 * marking the order as paid accepts none of them.
 */
export const ACCEPTED_BY_MARKING_PAID: ReadonlySet<FindingCode> = new Set([
  "amount_differs",
  "total_changed",
  "order_not_payable",
]);

export type SessionField = "session_id" | "status" | "reference" | "amount" | "currency";

/**
 * Equal for equal facts. A page that shows a finding sends its key back with the person's decision, so that nobody accepts a difference
 * that they did not see.
 */
export function findingKey(finding: Finding): string {
  return JSON.stringify(finding, (_name, value: unknown) => (isObject(value) ? withSortedFields(value) : value));
}

export function sameFinding(left: Finding | null, right: Finding | null): boolean {
  if (left === null || right === null) return left === right;
  return findingKey(left) === findingKey(right);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function withSortedFields(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
