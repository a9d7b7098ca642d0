import { type Equation, mostRefundable } from "../domain/equation.ts";
import { type Money, sameMoney, toWire } from "../domain/money.ts";
import { namesTransaction } from "../domain/movement.ts";
import { amountUnitOf, type Payment } from "../domain/payment.ts";
import { isInDoubt } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Offer, View } from "./decision.ts";
import { offerOf } from "./offers.ts";
import { decidedRefund } from "./repeated-decision.ts";

/** A transaction of a payment, and what is offered of it. */
export type RefundSubject = { readonly equation: Equation; readonly offer: Offer };

/**
 * What a person is about to refund. `confirmed`: the disputed sum that they have confirmed; null before the second step. `id`: names the
 * decision, where the person may repeat one.
 */
export type RefundDraft = { readonly amount: Money; readonly confirmed: Money | null; readonly id?: string };

/**
 * `why`: why the refund would be refused. `disputed`: the disputed sum that it takes as well; null for a refund that leaves disputed money
 * alone. Together: the same draft is possible once this sum is confirmed.
 */
export type PreparedRefund = { readonly why: Refusal | null; readonly disputed: Money | null };

/** The transaction that a person names by its id or code, or without a name the one that paid the session; null for one that did not pay. */
export function refundSubjectOf(view: View, named = ""): RefundSubject | null {
  const { sums, movements } = view;
  const known = movements.transactions.find((transaction) => namesTransaction(named, transaction));
  const index = named === "" ? 0 : sums.findIndex(({ transactionId }) => transactionId === (known?.id ?? named));
  const equation = sums[index];
  const offer = equation && offerOf(view, "refund", index === 0 ? null : equation.transactionId);
  return equation && offer ? { equation, offer } : null;
}

/** Why nothing of this transaction can be refunded now; null where an amount can be chosen. */
export function obstacleToRefund({ movements }: View, { offer }: RefundSubject): Refusal | null {
  return movements.refunds.some(isInDoubt) ? { kind: "refund_in_doubt" } : offer.why;
}

/** What `decide` would say to this refund of what the view shows, so that a person learns it before they confirm. */
export function prepareRefund(view: View, subject: RefundSubject, draft: RefundDraft): PreparedRefund {
  const { payment, movements } = view;
  const { equation, offer } = subject;
  const { max = equation.available, overDispute } = offer;
  const { amount, confirmed, id } = draft;
  const isRepeat = id !== undefined && decidedRefund(movements, payment.id, id) !== null;
  if (isRepeat) return { why: null, disputed: confirmed };
  const obstacle = obstacleToRefund(view, subject);
  if (obstacle !== null) return { why: obstacle, disputed: null };
  if (!isSendable(amount, payment)) return { why: { kind: "amount_invalid" }, disputed: null };
  const all = overDispute?.atMost ?? max;
  if (amount.minor > all.minor) {
    return { why: { kind: "too_large", most: mostRefundable(equation) }, disputed: null };
  }
  if (!overDispute || amount.minor <= max.minor) return { why: null, disputed: null };
  const { disputed } = overDispute;
  const isConfirmed = confirmed !== null && sameMoney(confirmed, disputed);
  return { why: isConfirmed ? null : { kind: "over_dispute", equation }, disputed };
}

// An amount of zero, or of cents where the service counts in whole francs or dollars, cannot be sent.
function isSendable(amount: Money, payment: Payment): boolean {
  try {
    toWire(amount, amountUnitOf(payment));
    return true;
  } catch {
    return false;
  }
}
