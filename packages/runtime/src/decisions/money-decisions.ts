import { createHash } from "node:crypto";
import {
  type Dispute,
  type Equation,
  equationOf,
  equationsOf,
  findingKey,
  isOpenDispute,
  limits,
  type Money,
  type Movements,
  type Payment,
  type Refund,
} from "@tillkit/core";

/** What only a person can decide about the money of one payment. */
export type MoneyDecisions = {
  readonly equation: Equation;
  /**
   * A refund over a dispute, which only a person may confirm: `disputed` is what disputes hold or took, `atMost` what such a refund may take.
   * Null while nothing is disputed or left.
   */
  readonly overDispute: { readonly disputed: Money; readonly atMost: Money } | null;
  /** Refunds of which the service's answers leave open whether they were made. A person looks in its dashboard. */
  readonly refundsInDoubt: readonly Refund[];
  /** Disputes that ended without an outcome. Each counts as lost until a person says otherwise. */
  readonly disputesWithoutOutcome: readonly Dispute[];
  /** Money arrived, and nothing names its transaction yet. A refund needs that name. */
  readonly canNameTransaction: boolean;
  /**
   * Names what this person sees: the payment's state and difference, and each movement of its money. A decision sends it back, so that
   * nobody decides about something else than they saw. Times, versions and checks do not change it.
   */
  readonly seen: string;
};

/** @param now in milliseconds since 1970 */
export function moneyDecisions(payment: Payment, movements: Movements, now: number): MoneyDecisions {
  const equation = equationOf(payment, movements);
  return {
    equation,
    overDispute: overDisputeOf(payment, movements),
    refundsInDoubt: movements.refunds.filter((refund) => isLeftInDoubt(refund, now)),
    disputesWithoutOutcome: movements.disputes.filter((dispute) => !isOpenDispute(dispute) && dispute.outcome === null),
    canNameTransaction: payment.amountReceived !== null && equation.transactionId === null,
    seen: seenOf(payment, movements),
  };
}

// A refund takes from the transaction that paid the session.
function overDisputeOf(payment: Payment, movements: Movements): MoneyDecisions["overDispute"] {
  const [{ disputed }] = equationsOf(payment, movements);
  const [{ available: atMost }] = equationsOf(payment, { ...movements, disputes: [] });
  return disputed.minor > 0 && atMost.minor > 0 ? { disputed, atMost } : null;
}

/** Whether the engine has had the time to settle this refund by reading, and could not. */
function isLeftInDoubt({ state, requestedAt, readOnlySince }: Refund, now: number): boolean {
  const hasNoResult = state === "requested" || state === "unknown";
  return hasNoResult && now >= (readOnlySince ?? requestedAt) + limits.refundSettlesMs;
}

// Reading a transaction for the first time changes nothing that a person sees, so only the amounts of transactions count.
function seenOf(payment: Payment, movements: Movements): string {
  const { id, state, finding } = payment;
  const { refunds, disputes } = movements;
  const shown = [
    [id, state, finding && findingKey(finding)],
    equationsOf(payment, movements).map(({ received }) => received.minor),
    refunds.map(({ key, state: refundState, amount }) => [key, stateInView(refundState), amount.minor]),
    disputes.map(({ id: dispute, status, outcome, amount }) => [dispute, status, outcome, amount?.minor ?? null]),
  ].map((rows) => JSON.stringify(rows));
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 32);
}

// A repeated request moves a refund from `requested` to `unknown`: a person sees the same refund without a result.
function stateInView(state: Refund["state"]): string {
  return state === "requested" ? "unknown" : state;
}
