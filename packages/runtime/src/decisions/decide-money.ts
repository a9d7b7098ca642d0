import {
  type DisputeOutcome,
  decideDispute,
  type Engine,
  gatherMovements,
  type Money,
  nameTransaction,
  type Refund,
  refundPayment,
  settleRefund,
} from "@tillkit/core";
import { type MoneyDecisions, moneyDecisions } from "./money-decisions.ts";

/**
 * A person's decision about the money of a payment. `seen`: `MoneyDecisions.seen` of what the person saw. `by`: a role or a login, never an
 * e-mail.
 */
export type MoneyDecision = { readonly seen: string; readonly by: string } & (
  | { readonly kind: "refundOutcome"; readonly refundKey: string; readonly wasMade: boolean }
  | { readonly kind: "transaction"; readonly transactionId: string }
  | { readonly kind: "dispute"; readonly disputeId: string; readonly outcome: DisputeOutcome }
  | { readonly kind: "refundOverDispute"; readonly amount: Money }
);

/** `outdated`: the payment is not as the person saw it, or offers no such decision, and nothing was done. */
export type MoneyDecided =
  | { readonly status: "outdated" }
  | { readonly status: "done"; readonly refund: Refund | null };

/**
 * Makes a person's decision, if the payment is still as the person saw it. A repeated refund over a dispute answers with the first one.
 * @throws CheckoutError as `settleRefund`, `nameTransaction`, `decideDispute` and `refundPayment` of @tillkit/core do
 */
export async function decideMoney(engine: Engine, paymentId: string, decision: MoneyDecision): Promise<MoneyDecided> {
  const offered = await readOffered(engine, paymentId);
  if (offered === null) return { status: "outdated" };
  if (decision.kind === "refundOverDispute") return await refundOverDispute(engine, paymentId, offered, decision);
  if (offered.seen !== decision.seen || !isOffered(offered, decision)) return { status: "outdated" };
  const { by } = decision;
  switch (decision.kind) {
    case "refundOutcome": {
      const { refundKey: key, wasMade } = decision;
      await settleRefund(engine, { paymentId, key, wasMade, by });
      break;
    }
    case "transaction":
      await nameTransaction(engine, { paymentId, transactionId: decision.transactionId, by });
      break;
    case "dispute":
      await decideDispute(engine, { paymentId, disputeId: decision.disputeId, outcome: decision.outcome, by });
  }
  return { status: "done", refund: null };
}

function isOffered(
  { refundsInDoubt, disputesWithoutOutcome, canNameTransaction }: MoneyDecisions,
  decision: Exclude<MoneyDecision, { kind: "refundOverDispute" }>,
): boolean {
  if (decision.kind === "refundOutcome") return refundsInDoubt.some(({ key }) => key === decision.refundKey);
  if (decision.kind === "dispute") return disputesWithoutOutcome.some(({ id }) => id === decision.disputeId);
  return canNameTransaction;
}

// The key names what the person saw, so a second click on the same view is the same refund, even after a lost answer.
async function refundOverDispute(
  engine: Engine,
  paymentId: string,
  { seen, overDispute }: MoneyDecisions,
  decision: Extract<MoneyDecision, { kind: "refundOverDispute" }>,
): Promise<MoneyDecided> {
  const { amount, by } = decision;
  const key = `over-dispute:${paymentId}:${decision.seen}:${amount.minor}`;
  const isRepeat = (await engine.ledger.refunds(paymentId)).some((refund) => refund.key === key);
  const isOfferedNow = seen === decision.seen && overDispute !== null;
  if (!isRepeat && !isOfferedNow) return { status: "outdated" };
  const stillApplies = () => isAsSeen(engine, paymentId, decision.seen);
  const confirmed = overDispute === null ? {} : { overDispute: overDispute.disputed };
  const request = { paymentId, key, amount, by, origin: "tillkit", stillApplies, ...confirmed } as const;
  return { status: "done", refund: await refundPayment(engine, request) };
}

/** Whether a payment is still as a person saw it. */
export async function isAsSeen(engine: Engine, paymentId: string, seen: string): Promise<boolean> {
  return (await readOffered(engine, paymentId))?.seen === seen;
}

async function readOffered({ ledger, clock }: Engine, paymentId: string): Promise<MoneyDecisions | null> {
  const payment = await ledger.find({ id: paymentId });
  return payment && moneyDecisions(payment, await gatherMovements(ledger, paymentId), clock.now());
}
