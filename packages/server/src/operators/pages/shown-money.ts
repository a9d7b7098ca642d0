import { createHash } from "node:crypto";
import { type Equation, equationOf, equationsOf, type Movements, type Payment, type Refund } from "@tillkit/core";

/** What a page shows of a payment's money. */
export type ShownMoney = Movements & {
  /** One for each transaction, the transaction that paid the session first. */
  readonly equations: readonly [Equation, ...Equation[]];
  readonly sum: Equation;
  /** Changes with every refund, dispute and transaction, and with their results; polls and repeated webhooks leave it equal. */
  readonly seen: string;
};

export function moneyOf(payment: Payment, movements: Movements): ShownMoney {
  const equations = equationsOf(payment, movements);
  const { refunds, disputes } = movements;
  const [first, ...others] = equations;
  // The id of the paying transaction is left out: a refund reads it from the service right before it is sent.
  const facts = [
    first.received,
    others.map(({ transactionId, received }) => [transactionId, received]),
    refunds.map(({ key, state, amount }) => [key, state, amount]),
    disputes.map(({ id, status, outcome, amount }) => [id, status, outcome, amount]),
  ];
  const seen = createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 22);
  return { ...movements, equations, sum: equationOf(payment, movements), seen };
}

/** Whether the service has not answered this refund. */
export function isInDoubt({ state }: Pick<Refund, "state">): boolean {
  return state === "requested" || state === "unknown";
}

/** What has neither returned nor is leaving, in minor units. A part that is disputed needs a second confirmation to be refunded. */
export function mostRefundable({ available, disputed }: Equation): number {
  return available.minor + disputed.minor;
}

/** The equation of the transaction that a form or a link names, or of the transaction that paid the session; null for an unknown one. */
export function chosenEquation({ equations }: ShownMoney, transactionId: string | undefined): Equation | null {
  if (!transactionId) return equations[0];
  return equations.find((equation) => equation.transactionId === transactionId) ?? null;
}
