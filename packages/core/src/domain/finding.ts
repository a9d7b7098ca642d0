import type { Money } from "./money.ts";
import type { NotPayable } from "./not-payable.ts";

export type FindingCode =
  | "amount_differs"
  | "currency_differs"
  | "total_changed"
  | "order_gone"
  | "order_not_payable"
  | "other_session"
  | "other_reference"
  | "other_environment"
  | "other_account"
  | "not_verifiable"
  | "paid_outside"
  | "not_paid"
  | "refund_failed"
  | "lost_to_dispute"
  | "refunded_but_shown";

/**
 * One difference between what must hold before an order is marked paid and what was read. Merchants see the texts of a finding, so
 * they hold no personal data.
 * `paid_outside`: the store shows the order as paid, but not by one of our payments. `not_verifiable`: the service's answer about
 * the session lacks a field that is needed. `lost_to_dispute`: a lost dispute took the money back, `found` of it.
 * `refunded_but_shown`: the order shows the payment as paid, and its money went back before the order showed it. `not_paid`: no payment of the order arrived within the grace period.
 */
export type Finding = {
  readonly code: FindingCode;
  readonly expected: string;
  readonly found: string;
  /** The amounts, where the finding is about amounts. `amounts.found` is absent where no exact amount was read. */
  readonly amounts?: { readonly expected: Money; readonly found?: Money };
  /** Of `order_not_payable`; missing in findings that an older version stored. */
  readonly why?: NotPayable;
};

/**
 * The difference as one text. A page that shows a finding sends its key back with the person's decision, so that nobody accepts a
 * difference that they did not see.
 */
export function findingKey({ code, expected, found }: Finding): string {
  return `${code}|${expected}|${found}`;
}

export function sameFinding(left: Finding | null, right: Finding | null): boolean {
  if (left === null || right === null) return left === right;
  return left.code === right.code && left.expected === right.expected && left.found === right.found;
}
