import type { Payment } from "@tillkit/core";
import { isOffered, offerOf, transactionCandidates } from "@tillkit/core/back-office";
import { disputeOutcomePage, refundResultPage, transactionPage } from "../pages/answer-pages.ts";
import { decideOn, redirectToProblem, viewAnew, viewOf } from "./decide.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentNotFound,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";

/** Asks whether a refund without an answer was made. The service is read first, because it may know by now. */
export async function showRefundResult(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const view = await viewAnew(request, payment);
  const { key } = request.query;
  const refund = view.movements.refunds.find((known) => known.key === key && offerOf(view, "looked", known.key));
  if (refund === undefined) return redirectTo(request, paymentPath(payment));
  return pageResponse(refundResultPage({ payment, refund, seen: view.seen }, request.context));
}

/** "I have looked in the dashboard": ends the refund with what the person saw there. */
export async function answerRefundResult(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, async (payment) => {
    const { key: refundKey = "", answer: said } = request.fields;
    if (said !== "made" && said !== "not_made") return redirectToProblem(request, payment, "changed");
    const choice = { kind: "looked", refundKey, wasMade: said === "made" } as const;
    return await decideOn(request, payment, choice, { formPath: "" });
  });
}

export async function showDisputeOutcome(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const view = await viewOf(request, payment);
  const { dispute: named } = request.query;
  const dispute = view.movements.disputes.find(({ id }) => id === named && offerOf(view, "disputeOutcome", id));
  if (dispute === undefined) return redirectTo(request, paymentPath(payment));
  const now = request.engine.clock.now();
  return pageResponse(disputeOutcomePage({ payment, dispute, now, seen: view.seen }, request.context));
}

export async function answerDisputeOutcome(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, async (payment) => {
    const { dispute: disputeId = "", answer: outcome } = request.fields;
    if (outcome !== "won" && outcome !== "lost") return redirectToProblem(request, payment, "changed");
    return await decideOn(request, payment, { kind: "disputeOutcome", disputeId, outcome }, { formPath: "" });
  });
}

/** The transactions that may have paid, as the service shows them now. */
export async function showTransactionChoice(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  // Reading the refunds looks for the transaction first, so a transaction that the service names by now needs no choice.
  const view = await viewAnew(request, payment);
  if (!isOffered(view, "nameTransaction")) return redirectTo(request, paymentPath(payment));
  const candidates = await transactionCandidates(request.engine, payment.id);
  return pageResponse(transactionPage({ payment, candidates, seen: view.seen }, request.context));
}

export async function chooseTransaction(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, async (payment) => {
    const { transaction: transactionId = "" } = request.fields;
    return await decideOn(request, payment, { kind: "nameTransaction", transactionId }, { formPath: "" });
  });
}

async function answer(
  request: OperatorRequest,
  decideAbout: (payment: Payment) => Promise<OperatorResponse>,
): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  return payment ? await decideAbout(payment) : paymentNotFound(request);
}
