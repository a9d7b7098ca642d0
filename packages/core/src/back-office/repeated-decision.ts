import { hash } from "node:crypto";
import type { JobError } from "../domain/job.ts";
import { isCertain, type Movements, namesTransaction } from "../domain/movement.ts";
import type { Payment } from "../domain/payment.ts";
import type { Refund } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";
import { hasEntry } from "../domain/timeline.ts";
import type { Engine } from "../engine.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import type { BackOffice } from "./back-office.ts";
import type { Decision, View } from "./decision.ts";

type RefundDecision = Extract<Decision, { kind: "refund" }>;

/** What carrying a decision out has led to. */
export type Effect = {
  readonly refund: Refund | null;
  readonly why?: Refusal | null;
  readonly error?: JobError | null;
};

export const NO_REFUND: Effect = { refund: null };

/** The effect that a decision had before. Null: nothing of it was done yet. */
export async function repeatedEffect(
  { engine }: BackOffice,
  { payment, movements }: View,
  decision: Decision,
): Promise<Effect | null> {
  switch (decision.kind) {
    case "accept":
      return payment.waiver?.decision === decisionIdOf(decision) ? NO_REFUND : null;
    case "refund":
      return await repeatedRefund(engine, movements, decision);
    case "nameTransaction": {
      const named = movements.transactions.find((one) => namesTransaction(decision.transactionId, one));
      return named && isCertain(named) ? NO_REFUND : null;
    }
    case "looked": {
      const refund = movements.refunds.find(({ key }) => key === decision.refundKey);
      return refund?.state === (decision.wasMade ? "completed" : "failed") ? { refund } : null;
    }
    case "disputeOutcome": {
      const dispute = movements.disputes.find(({ id }) => id === decision.disputeId);
      return dispute?.outcome === decision.outcome ? NO_REFUND : null;
    }
    default:
      return await repeatedInHost(engine, payment, movements, decision);
  }
}

/** The entry that is committed with what only a host can do. */
const ENTRY_OF = { place: "reattached", sendAgain: "refund_decided", settledOutside: "refund_settled" } as const;

// An order that could not be placed is still to be placed.
async function repeatedInHost(
  { ledger }: Engine,
  { id: paymentId, state }: Payment,
  { refunds }: Movements,
  decision: Extract<Decision, { kind: keyof typeof ENTRY_OF }>,
): Promise<Effect | null> {
  const facts = { kind: ENTRY_OF[decision.kind], decision: decisionIdOf(decision) };
  const entry = (await ledger.timeline({ paymentId })).find((known) => hasEntry([known], facts));
  if (entry === undefined || (decision.kind === "place" && state === "review")) return null;
  if (entry.kind !== "refund_decided") return NO_REFUND;
  return { refund: refunds.find(({ key }) => key === entry.refundKey) ?? null };
}

// A refund in doubt is sent again under its key, or read.
async function repeatedRefund(
  engine: Engine,
  { refunds }: Movements,
  decision: RefundDecision,
): Promise<Effect | null> {
  const { paymentId } = decision;
  const key = refundKeyOf(decision);
  const known = decidedRefund({ refunds }, paymentId, decisionIdOf(decision));
  if (known === null) return null;
  const amount = decision.amount ?? known.amount;
  return { refund: await refundPayment(engine, { paymentId, key, amount, origin: "tillkit" }) };
}

/** The refund that this decision has made; null where the decision is new. */
export function decidedRefund(
  { refunds }: Pick<Movements, "refunds">,
  paymentId: string,
  decisionId: string,
): Refund | null {
  const key = keyOf(paymentId, decisionId);
  return refunds.find((refund) => refund.key === key || refund.otherKeys.includes(key)) ?? null;
}

/** The key of a decided refund. It names the decision, so a repeat of the decision is the same refund, also after a lost answer. */
export function refundKeyOf(decision: RefundDecision): string {
  return keyOf(decision.paymentId, decisionIdOf(decision));
}

function keyOf(paymentId: string, decisionId: string): string {
  return `decision:${paymentId}:${decisionId}`;
}

export function decisionIdOf(decision: Decision): string {
  const { id, seen } = decision;
  if (id !== undefined) return id;
  if (decision.kind === "sendAgain") return `${seen}:${decision.refundKey}`;
  // The id is stored, and the reason is a person's words.
  if (decision.kind === "settledOutside") return `${seen}:${decision.refundKey}:${hash("sha256", decision.reason)}`;
  return decision.kind === "refund"
    ? `${seen}:${decision.transactionId ?? ""}:${decision.amount?.minor ?? "rest"}`
    : seen;
}
