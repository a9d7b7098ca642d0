import { decideDispute } from "../disputes/decide-dispute.ts";
import { codeOf } from "../domain/checkout-error.ts";
import { findingKey } from "../domain/finding.ts";
import { limits } from "../domain/limits.ts";
import { isRetryable, type Refusal } from "../domain/refusal.ts";
import { nameTransaction } from "../movements/name-transaction.ts";
import { assertOriginal } from "../refunds/assert-refundable.ts";
import { refundPayment } from "../refunds/refund-payment.ts";
import { settleRefund } from "../refunds/settle-refund.ts";
import { acceptReview } from "../reviews/accept-review.ts";
import { type BackOffice, findPaymentOf, viewPayment } from "./back-office.ts";
import type { Decided, Decision, Offer, View } from "./decision.ts";
import { actOf } from "./decision-acts.ts";
import { offerFor } from "./offers.ts";
import { equationOfOffer, refusalOf } from "./refusals.ts";
import { decisionIdOf, type Effect, NO_REFUND, refundKeyOf, repeatedEffect } from "./repeated-decision.ts";

/**
 * Carries out a person's decision about a payment, if everything is as the person saw it: ledger and shop are read again right before the commit.
 * A repeated decision is answered with the result of the first, and has no second effect. A copy of the shop decides nothing.
 *
 * @throws whatever is none of the engine's own refusals, such as an error of the database
 */
export async function decide(office: BackOffice, decision: Decision): Promise<Decided> {
  const { paymentId, person } = decision;
  const payment = await findPaymentOf(office, paymentId, person);
  if (!payment) return { status: "unknown" };
  // A person waits, and may have connected the shop again.
  await office.engine.storeBlocks.gaveSign(payment.ref.storeId);
  const view = await viewPayment(office, payment);
  if (person.right === "viewer") return refused({ kind: "viewer" }, view);
  try {
    const repeated = await repeatedEffect(office, view, decision);
    if (repeated !== null) return await resultOf(office, decision, repeated);
    const offer = offerFor(view, decision);
    if (view.seen !== decision.seen || offer === null) return { status: "changed", view };
    const why = refusalFor(offer, decision, view);
    if (why !== null) return refused(why, view);
    await assertOriginal(office.engine);
    await office.acts.recordAct({ at: office.engine.clock.now(), by: person.by, paymentId, ...actOf(decision, view) });
    return await resultOf(office, decision, await carryOut(office, view, decision));
  } catch (error) {
    return await afterFailure(office, decision, error);
  }
}

function refusalFor(offer: Offer, decision: Decision, view: View): Refusal | null {
  const { why, overDispute, max } = offer;
  if (decision.kind === "settledOutside" && decision.reason.trim().length < limits.shortestReason) {
    return { kind: "reason_missing" };
  }
  if (decision.kind !== "refund") return why;
  // A dispute holds all that is left: the person names the amount and confirms it.
  if (why === null && decision.amount === null && max?.minor === 0) {
    return { kind: "over_dispute", equation: equationOfOffer(offer, view) };
  }
  // The shop's own page of the order has no second step, so a refund over a dispute is decided here also where it refunds everything else.
  const isConfirmed = decision.overDispute === true && overDispute != null;
  return isConfirmed && why?.kind === "refund_in_shop" ? null : why;
}

async function carryOut(office: BackOffice, view: View, decision: Decision): Promise<Effect> {
  const { engine, host } = office;
  const { payment } = view;
  const paymentId = payment.id;
  const { by } = decision.person;
  const stillApplies = () => isAsSeen(office, decision);
  const toHost = { by, id: decisionIdOf(decision), stillApplies };
  switch (decision.kind) {
    case "accept": {
      const difference = payment.finding === null ? "" : findingKey(payment.finding);
      const request = { paymentId, by, findingKey: difference, stillApplies, decision: toHost.id };
      return { refund: null, error: (await acceptReview(engine, request)).error };
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
      return { refund: null, ...(await host?.place?.(payment, toHost)) };
    case "sendAgain":
      return { refund: (await host?.sendAgain?.(payment, decision.refundKey, toHost)) ?? null };
    case "settledOutside": {
      const { refundKey, reason } = decision;
      await host?.settledOutside?.(payment, refundKey, { ...toHost, reason });
      return NO_REFUND;
    }
  }
}

function refundRequestOf(view: View, decision: Extract<Decision, { kind: "refund" }>) {
  const { payment, sums } = view;
  const { overDispute, reason, person } = decision;
  // A refunded payment whose transaction received more than its session asked for: the rest goes back only from that transaction by name.
  const transactionId = decision.transactionId ?? (payment.state === "refunded" ? sums[0].transactionId : null);
  const offer = offerFor(view, decision);
  const amount = decision.amount ?? offer?.max ?? sums[0].available;
  return {
    paymentId: payment.id,
    key: refundKeyOf(decision),
    amount,
    by: person.by,
    origin: "tillkit",
    // The state is part of what the person saw.
    allowedStates: [payment.state],
    ...(transactionId === null ? {} : { transactionId }),
    // The person saw this sum, because the view is still the one that they saw.
    ...(overDispute && offer?.overDispute ? { overDispute: offer.overDispute.disputed } : {}),
    ...(reason === undefined ? {} : { reason }),
  } as const;
}

/** Whether ledger and shop still show what the person saw. */
async function isAsSeen(office: BackOffice, decision: Decision): Promise<boolean> {
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  return payment !== null && (await viewPayment(office, payment)).seen === decision.seen;
}

async function resultOf(
  office: BackOffice,
  decision: Decision,
  { refund, why = null, error = null }: Effect,
): Promise<Decided> {
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  if (!payment) return { status: "unknown" };
  const view = await viewPayment(office, payment);
  if (why !== null) return refused(why, view);
  const isRefused = refund?.state === "failed" && decision.kind !== "looked";
  return isRefused ? refused({ kind: "refused_by_service" }, view) : { status: "done", view, refund, error };
}

// An error that another try may solve is the caller's, unless it tells that something has changed since the person looked.
async function afterFailure(office: BackOffice, decision: Decision, error: unknown): Promise<Decided> {
  const { engine } = office;
  engine.log.warn("back_office.not_decided", { paymentId: decision.paymentId, code: codeOf(error) });
  const payment = await findPaymentOf(office, decision.paymentId, decision.person);
  if (!payment) return { status: "unknown" };
  const view = await viewPayment(office, payment);
  // Another click on the same view may have been faster.
  const repeated = decision.kind === "refund" ? null : await repeatedEffect(office, view, decision);
  if (repeated !== null) return { status: "done", view, refund: repeated.refund, error: null };
  if (codeOf(error) === "ledger_busy" && view.seen !== decision.seen) return { status: "changed", view };
  const why = refusalOf(error, offerFor(view, decision), view);
  if (why === null) throw error;
  return refused(why, view);
}

function refused(why: Refusal, view: View): Decided {
  return { status: "refused", why, retryable: isRetryable(why), view };
}
