import { createHash } from "node:crypto";
import {
  type Dispute,
  type Equation,
  equationOf,
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
  /** What a refund may take at most when a person confirms that it goes over a dispute; null while nothing is disputed or left. */
  readonly overDispute: Money | null;
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
  const { available } = equationOf(payment, { ...movements, disputes: [] });
  return {
    equation,
    overDispute: equation.disputed.minor > 0 && available.minor > 0 ? available : null,
    refundsInDoubt: movements.refunds.filter((refund) => isLeftInDoubt(refund, now)),
    disputesWithoutOutcome: movements.disputes.filter((dispute) => !isOpenDispute(dispute) && dispute.outcome === null),
    canNameTransaction: payment.amountReceived !== null && equation.transactionId === null,
    seen: seenOf(payment, movements),
  };
}

/** Whether the engine has had the time to settle this refund by reading, and could not. */
function isLeftInDoubt({ state, requestedAt, readOnlySince }: Refund, now: number): boolean {
  const hasNoResult = state === "requested" || state === "unknown";
  return hasNoResult && now >= (readOnlySince ?? requestedAt) + limits.refundSettlesMs;
}

function seenOf({ id, state, finding }: Payment, { transactions, refunds, disputes }: Movements): string {
  const shown = [
    [id, state, finding && findingKey(finding)],
    transactions.map(({ id: transaction, amount, evidence }) => [transaction, amount.minor, amount.currency, evidence]),
    refunds.map(({ key, state: refundState, amount }) => [key, stateInView(refundState), amount.minor]),
    disputes.map(({ id: dispute, status, outcome, amount }) => [dispute, status, outcome, amount?.minor ?? null]),
  ].map((rows) => JSON.stringify(rows));
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 32);
}

// A repeated request moves a refund from `requested` to `unknown`: a person sees the same refund without a result.
function stateInView(state: Refund["state"]): string {
  return state === "requested" ? "unknown" : state;
}
