import { decideDispute } from "../disputes/decide-dispute.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { findingKey } from "../domain/finding.ts";
import { isCertain, namesTransaction } from "../domain/movement.ts";
import type { Refund } from "../domain/refund.ts";
import type { Refusal } from "../domain/refusal.ts";
import { nameTransaction } from "../movements/name-transaction.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { settleRefund } from "../refunds/settle-refund.ts";
import { acceptReview } from "../reviews/accept-review.ts";
import { type BackOffice, findPaymentOf, viewPayment } from "./back-office.ts";
import type { Choice, Decided, Decision, Offer, View } from "./decision.ts";
import { actOf } from "./decision-acts.ts";
import { offerOf } from "./offers.ts";
import { refusalOf } from "./refusals.ts";

/**
 * Carries out a person's decision about a payment, if everything is as the person saw it: ledger and shop are read again right before the commit.
 * A repeated decision is answered with the result of the first, and has no second effect.
 *
 * @throws CheckoutError retryable: `ledger_busy`, `refund_in_doubt`, `write_in_flight`, `service_unavailable`; nothing was decided yet, or the
 * engine continues what was
 */
export async function decide(office: BackOffice, decision: Decision): Promise<Decided> {
  const { paymentId, person } = decision;
  const payment = await findPaymentOf(office, paymentId, person);
  if (!payment) return { status: "unknown" };
  const view = await viewPayment(office, payment);
  if (person.right === "viewer") return { status: "refused", why: { kind: "viewer" }, view };
  try {
    const repeated = await repeatedResult(office, view, decision);
    if (repeated !== null) return await resultOf(office, decision, repeated);
    const offer = offerFor(view, decision);
    if (view.seen !== decision.seen || offer === null) return { status: "changed", view };
    if (offer.why !== null) return { status: "refused", why: offer.why, view };
    await office.acts.recordAct({ at: office.engine.clock.now(), by: person.by, paymentId, ...actOf(decision, view) });
    return await resultOf(office, decision, await carryOut(office, view, decision));
  } catch (error) {
    return await afterFailure(office, decision, error);
  }
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

function offerFor(view: View, choice: Choice): Offer | null {
  return offerOf(view, choice.kind, subjectOf(choice, view));
}

/** What carrying a decision out has led to. */
type Effect = { readonly refund: Refund | null; readonly why?: Refusal | null };

const NO_REFUND: Effect = { refund: null };

// Null: nothing of this decision was done before.
async function repeatedResult({ engine }: BackOffice, view: View, decision: Decision): Promise<Effect | null> {
  const { payment, movements } = view;
  switch (decision.kind) {
    case "accept":
      return payment.waiver?.decision === decisionIdOf(decision) ? NO_REFUND : null;
    case "refund": {
      const key = refundKeyOf(decision);
      const known = movements.refunds.find((refund) => refund.key === key || refund.otherKeys.includes(key));
      if (known === undefined) return null;
      // A refund in doubt is sent again under its key, or read.
      const request = { paymentId: payment.id, key, amount: decision.amount, origin: "tillkit" } as const;
      return { refund: await refundPayment(engine, request) };
    }
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
      return null;
  }
}

async function carryOut(office: BackOffice, view: View, decision: Decision): Promise<Effect> {
  const { engine, host } = office;
  const { payment } = view;
  const paymentId = payment.id;
  const { by } = decision.person;
  const stillApplies = () => isAsSeen(office, decision);
  switch (decision.kind) {
    case "accept": {
      const seen = payment.finding === null ? "" : findingKey(payment.finding);
      await acceptReview(engine, { paymentId, by, seen, stillApplies, decision: decisionIdOf(decision) });
      return NO_REFUND;
    }
    case "refund":
      return { refund: await refundPayment(engine, { ...refundRequestOf(view, decision), stillApplies }) };
    case "nameTransaction":
      await nameTransaction(engine, { paymentId, transactionId: decision.transactionId, by, stillApplies });
      return NO_REFUND;
    case "looked": {
      const { refundKey: key, wasMade } = decision;
      return { refund: await settleRefund(engine, { paymentId, key, wasMade, by, stillApplies }) };
    }
    case "disputeOutcome":
      await decideDispute(engine, {
        paymentId,
        disputeId: decision.disputeId,
        outcome: decision.outcome,
        by,
        stillApplies,
      });
      return NO_REFUND;
    case "place":
      return { refund: null, why: (await host?.place?.(payment, { by, stillApplies })) ?? null };
    case "sendAgain":
      return { refund: (await host?.sendAgain?.(payment, decision.refundKey, { by, stillApplies })) ?? null };
    case "settledOutside": {
      const { refundKey, reason } = decision;
      await host?.settledOutside?.(payment, refundKey, { by, stillApplies, reason });
      return NO_REFUND;
    }
  }
}

function refundRequestOf({ payment }: View, decision: Extract<Decision, { kind: "refund" }>) {
  const { amount, transactionId, overDispute, reason, person } = decision;
  return {
    paymentId: payment.id,
    key: refundKeyOf(decision),
    amount,
    by: person.by,
    origin: "tillkit",
    // The state is part of what the person saw.
    allowedStates: [payment.state],
    ...(transactionId === null ? {} : { transactionId }),
    ...(overDispute === undefined ? {} : { overDispute }),
    ...(reason === undefined ? {} : { reason }),
  } as const;
}

/** The key of a decided refund. It names the decision, so a repeat of the decision is the same refund, also after a lost answer. */
function refundKeyOf(decision: Extract<Decision, { kind: "refund" }>): string {
  return `decision:${decision.paymentId}:${decisionIdOf(decision)}`;
}

function decisionIdOf(decision: Decision): string {
  const { id, seen } = decision;
  if (id !== undefined) return id;
  return decision.kind === "refund" ? `${seen}:${decision.transactionId ?? ""}:${decision.amount.minor}` : seen;
}

/** Whether ledger and shop still show what the person saw. */
async function isAsSeen(office: BackOffice, decision: Decision): Promise<boolean> {
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  return payment !== null && (await viewPayment(office, payment)).seen === decision.seen;
}

async function resultOf(office: BackOffice, decision: Decision, { refund, why = null }: Effect): Promise<Decided> {
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  if (!payment) return { status: "unknown" };
  const view = await viewPayment(office, payment);
  if (why !== null) return { status: "refused", why, view };
  const isRefused = refund?.state === "failed" && decision.kind !== "looked";
  return isRefused
    ? { status: "refused", why: { kind: "refused_by_service" }, view }
    : { status: "done", view, refund };
}

// An error that another try may solve is the caller's, unless it tells that something has changed since the person looked.
async function afterFailure(office: BackOffice, decision: Decision, error: unknown): Promise<Decided> {
  const { engine } = office;
  engine.log.warn("back_office.not_decided", { paymentId: decision.paymentId, code: codeOf(error) });
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  if (!payment) return { status: "unknown" };
  const view = await viewPayment(office, payment);
  if (codeOf(error) === "ledger_busy" && view.seen !== decision.seen) return { status: "changed", view };
  const why = refusalOf(error, offerFor(view, decision), view);
  if (why === null) throw error;
  return { status: "refused", why, view };
}
