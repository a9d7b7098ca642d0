import { createHash } from "node:crypto";
import { isOpenDispute } from "../domain/dispute.ts";
import { type Equation, equationOf, equationsOf, isRefundableIn, overDisputeOf } from "../domain/equation.ts";
import { findingKey } from "../domain/finding.ts";
import type { Money } from "../domain/money.ts";
import type { Movements } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import { ARRIVED_STATES, isPaying, type PaymentState } from "../domain/payment-states.ts";
import { hasNoResult, isInDoubt, type Refund, tellableFrom } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";
import { isAcceptable } from "../reviews/accept-review.ts";
import type { Choice, ChoiceKind, HostFacts, Offer, View } from "./decision.ts";

/** @param now in milliseconds since 1970 */
export function viewOf(payment: Payment, movements: Movements, host: HostFacts, now: number): View {
  const sums = equationsOf(payment, movements);
  const offer = (kind: ChoiceKind, subject: string | null, why: Refusal | null): Offer => ({ kind, subject, why });
  const refunds = refundOffers(payment, sums, host).map(({ why, ...more }, index) => ({
    // The transaction that paid is left out: a refund reads it from the service right before it is sent.
    ...offer("refund", index === 0 ? null : (sums[index]?.transactionId ?? null), why),
    ...more,
  }));
  const undecided = movements.disputes.filter((dispute) => !isOpenDispute(dispute) && dispute.outcome === null);
  const offers: Offer[] = [
    offer("accept", null, refusalOfAccept(payment, movements)),
    ...(host.place === undefined ? [] : [offer("place", null, host.place)]),
    ...refunds,
    offer("nameTransaction", null, refusalOfNaming(payment, sums[0])),
    ...movements.refunds.filter(isInDoubt).map((refund) => offer("looked", refund.key, refusalOfLook(refund, now))),
    ...undecided.map(({ id }) => offer("disputeOutcome", id, null)),
    ...host.failedRefunds.flatMap(({ key, isShown }) => [
      ...(isShown ? [offer("sendAgain", key, null)] : []),
      offer("settledOutside", key, null),
    ]),
  ];
  const sum = equationOf(payment, movements);
  return { payment, movements, sums, sum, host, seen: digestOf(factsOf(payment, movements, sums, host)), offers };
}

/** The offer of this kind about this subject. */
export function offerOf({ offers }: View, kind: ChoiceKind, subject: string | null = null): Offer | null {
  return offers.find((offer) => offer.kind === kind && offer.subject === subject) ?? null;
}

/** The offer that a choice takes up. */
export function offerFor(view: View, choice: Choice): Offer | null {
  return offerOf(view, choice.kind, subjectOf(choice, view));
}

// The transaction, refund or dispute that a choice is about. The transaction that paid the session may be named or not.
function subjectOf(choice: Choice, { sums }: View): string | null {
  switch (choice.kind) {
    case "refund":
      return choice.transactionId === sums[0].transactionId ? null : choice.transactionId;
    case "looked":
    case "sendAgain":
    case "settledOutside":
      return choice.refundKey;
    case "disputeOutcome":
      return choice.disputeId;
    default:
      return null;
  }
}

/** Whether this action is offered, about any subject. */
export function isOffered({ offers }: View, kind: ChoiceKind): boolean {
  return offers.some((offer) => offer.kind === kind && offer.why === null);
}

/** What a refund of this transaction takes without a second step; null where no such refund is offered. */
export function refundOffered(view: View, transactionId: string | null = null): Money | null {
  const offer = offerOf(view, "refund", transactionId);
  return offer?.why === null && offer.max !== undefined && offer.max.minor > 0 ? offer.max : null;
}

/** The states in which a payment waits for a person's decision. */
export const HELD_STATES: readonly PaymentState[] = ["review", "duplicate"];

export function isHeld({ state }: Pick<Payment, "state">): boolean {
  return HELD_STATES.includes(state);
}

function refusalOfAccept({ state, finding }: Payment, { refunds }: Movements): Refusal | null {
  if (state !== "review") return { kind: "not_held", state };
  if (!isAcceptable(finding)) return { kind: "not_acceptable", finding };
  return refunds.some(hasNoResult) ? { kind: "refund_in_doubt" } : null;
}

function refundOffers(
  payment: Payment,
  sums: readonly Equation[],
  { refundsPaid }: HostFacts,
): readonly Required<Pick<Offer, "max" | "overDispute" | "why">>[] {
  return sums.map((equation, index) => {
    const { available } = equation;
    const max = { ...available, minor: Math.max(0, available.minor) };
    const overDispute = overDisputeOf(equation);
    return { max, overDispute, why: refusal(equation, index === 0, max.minor > 0 || overDispute !== null) };
  });

  function refusal(equation: Equation, isMain: boolean, isLeft: boolean): Refusal | null {
    const hasArrived = payment.amountReceived !== null || equation.transactionId !== null;
    const isReadable = isRefundableIn(equation.received.currency, payment, equation);
    if (!ARRIVED_STATES.has(payment.state) || !hasArrived || !isReadable) return { kind: "no_money" };
    if (!isLeft) return { kind: "nothing_left", equation };
    return isMain && isPaying(payment) && !refundsPaid ? { kind: "refund_in_shop" } : null;
  }
}

function refusalOfNaming({ amountReceived }: Payment, { transactionId }: Equation): Refusal | null {
  if (amountReceived === null) return { kind: "no_money" };
  return transactionId === null ? null : { kind: "transaction_known" };
}

function refusalOfLook(refund: Refund, now: number): Refusal | null {
  const from = tellableFrom(refund);
  return now < from ? { kind: "too_early", from } : null;
}

// Everything that a decision about this payment may depend on. A repeated request moves a refund from `requested` to `unknown`: a person sees the
// same refund without a result.
function factsOf(
  { id, state, finding }: Payment,
  { refunds, disputes }: Movements,
  [first, ...others]: readonly [Equation, ...Equation[]],
  host: HostFacts,
): unknown {
  return [
    [id, state, finding && findingKey(finding)],
    [first.received, others.map(({ transactionId, received }) => [transactionId, received])],
    refunds.map((refund) => [refund.key, isInDoubt(refund) ? "unknown" : refund.state, refund.amount]),
    disputes.map(({ id: dispute, status, outcome, amount }) => [dispute, status, outcome, amount]),
    [host.seen, host.refundsPaid, host.place?.kind ?? null, host.failedRefunds],
  ];
}

function digestOf(facts: unknown): string {
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 32);
}
