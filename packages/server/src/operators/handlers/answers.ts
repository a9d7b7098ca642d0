import {
  type Dispute,
  decideDispute,
  formatMoney,
  nameTransaction,
  type Payment,
  type Refund,
  settleRefund,
  transactionCandidates,
} from "@tillkit/core";
import { disputeOutcomePage, refundResultPage, transactionPage } from "../pages/answer-pages.ts";
import { isInDoubt, type ShownMoney } from "../pages/shown-money.ts";
import type { NoticeCode } from "../texts/operator-texts.ts";
import { decide, decidedBy, redirectToProblem } from "./decide.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";
import { paymentNotFound } from "./payment.ts";
import { readMoney, readMoneyAnew } from "./read-money.ts";
import { recordAct } from "./record-act.ts";

/** Asks whether a refund without an answer was made. The service is read first, because it may know by now. */
export async function showRefundResult(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const money = await readMoneyAnew(request, payment);
  const refund = refundInDoubt(money, request.query.key);
  if (refund === undefined) return redirectTo(request, paymentPath(payment));
  return pageResponse(refundResultPage({ payment, refund, seen: money.seen }, request.context));
}

/** "I have looked in the dashboard": ends the refund with what the person saw there. */
export async function answerRefundResult(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, ({ payment, money, by }) => {
    const { key, answer: said } = request.fields;
    const refund = refundInDoubt(money, key);
    if (refund === undefined || (said !== "made" && said !== "not_made")) return null;
    const wasMade = said === "made";
    return {
      act: wasMade ? "refund_was_made" : "refund_was_not_made",
      detail: formatMoney(refund.amount, "en"),
      notice: "refund_settled",
      run: () => settleRefund(request.engine, { paymentId: payment.id, key: refund.key, wasMade, by }),
    };
  });
}

export async function showDisputeOutcome(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const money = await readMoney(request, payment);
  const dispute = disputeWithoutOutcome(money, request.query.dispute);
  if (dispute === undefined) return redirectTo(request, paymentPath(payment));
  const now = request.engine.clock.now();
  return pageResponse(disputeOutcomePage({ payment, dispute, now, seen: money.seen }, request.context));
}

export async function answerDisputeOutcome(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, ({ payment, money, by }) => {
    const { dispute: disputeId, answer: outcome } = request.fields;
    const dispute = disputeWithoutOutcome(money, disputeId);
    if (dispute === undefined || (outcome !== "won" && outcome !== "lost")) return null;
    const { id } = dispute;
    return {
      act: `dispute_${outcome}`,
      detail: id,
      notice: "dispute_decided",
      run: () => decideDispute(request.engine, { paymentId: payment.id, disputeId: id, outcome, by }),
    };
  });
}

/** The transactions that may have paid, as the service shows them now. */
export async function showTransactionChoice(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  // Reading the refunds looks for the transaction first, so a transaction that the service names by now needs no choice.
  const { equations, seen } = await readMoneyAnew(request, payment);
  if (equations[0].transactionId !== null) return redirectTo(request, paymentPath(payment));
  const candidates = await transactionCandidates(request.engine, payment.id);
  return pageResponse(transactionPage({ payment, candidates, seen }, request.context));
}

export async function chooseTransaction(request: OperatorRequest): Promise<OperatorResponse> {
  return await answer(request, ({ payment, money, by }) => {
    const { transaction = "" } = request.fields;
    if (transaction === "" || money.equations[0].transactionId !== null) return null;
    return {
      act: "name_transaction",
      detail: TRANSACTION_ID.test(transaction) ? transaction : "",
      notice: "transaction_named",
      run: () => nameTransaction(request.engine, { paymentId: payment.id, transactionId: transaction, by }),
    };
  });
}

// Anything else is no id of the service, and stays out of the log of acts.
const TRANSACTION_ID = /^[\w-]{1,64}$/;

type Answered = { readonly payment: Payment; readonly money: ShownMoney; readonly by: string };

/** `detail` is a text of ours for the log of acts. */
type Act = {
  readonly act: string;
  readonly detail: string;
  readonly notice: NoticeCode;
  run(): Promise<unknown>;
};

/** Carries out the answer of a person, unless the payment's money has changed since the page was opened. */
async function answer(request: OperatorRequest, actOf: (answered: Answered) => Act | null): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const by = decidedBy(request);
  if (by === null) return redirectToProblem(request, payment, "name_missing");
  const money = await readMoney(request, payment);
  const act = request.fields.seen === money.seen ? actOf({ payment, money, by }) : null;
  if (act === null) return redirectToProblem(request, payment, "ledger_busy");
  return await decide(request, payment, async () => {
    await recordAct(request, { act: act.act, by, paymentId: payment.id, detail: act.detail });
    await act.run();
    return act.notice;
  });
}

function refundInDoubt({ refunds }: ShownMoney, key: string | undefined): Refund | undefined {
  return refunds.find((refund) => refund.key === key && isInDoubt(refund));
}

function disputeWithoutOutcome({ disputes }: ShownMoney, id: string | undefined): Dispute | undefined {
  return disputes.find((dispute) => dispute.id === id && dispute.status !== "pending" && dispute.outcome === null);
}
