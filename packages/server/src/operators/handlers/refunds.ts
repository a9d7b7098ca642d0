import { decimalText, type Equation, isHeld, type Offer, offerOf, type Payment, type View } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { refundConfirmPage, refundFormPage } from "../pages/refund-pages.ts";
import { refundsPage } from "../pages/refunds-page.ts";
import { decidedBy, decideOn, redirectToProblem, viewAnew, viewOf } from "./decide.ts";
import { refundHeld, showHeldRefundForm } from "./decisions.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";
import { paymentNotFound } from "./payment.ts";
import { readConfirmedRefund, readRefundInput } from "./refund-input.ts";

const DECISION_PATTERN = /^[\w-]{8,64}$/;

export async function showRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { transaction } = request.query;
  // A held payment is refunded as a whole by one click. What is disputed needs the form, with its second step.
  const isWhole = isHeld(payment) && !transaction && (await viewOf(request, payment)).sum.disputed.minor === 0;
  if (isWhole) return await showHeldRefundForm(request);
  const view = await viewAnew(request, payment);
  const chosen = chosenTransaction(view, transaction);
  if (chosen === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const { equation, offer } = chosen;
  if (offer.why !== null && offer.why.kind !== "nothing_left") return redirectTo(request, paymentPath(payment));
  const { available } = equation;
  const fields = { amount: available.minor > 0 ? decimalText(available) : "", reason: "", by: "" };
  return pageResponse(refundFormPage({ view, equation, fields, problem: null }, request.context));
}

/** Shows what the refund will do, and asks for a confirmation. Nothing is sent to the service yet. */
export async function previewRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { context } = request;
  const fields = { amount: "", reason: "", by: "", ...request.fields };
  // Only the page of a held payment sends `whole`. The form of a payment that was held meanwhile refunds nothing, nor the reverse.
  if (isHeld(payment) && request.fields.whole !== undefined) return await refundHeld(request);
  if (isHeld(payment) !== (request.fields.held === "yes")) return redirectToProblem(request, payment, "changed");
  const view = await viewAnew(request, payment);
  const chosen = chosenTransaction(view, request.fields.transaction);
  if (chosen === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const { equation, offer } = chosen;
  if (offer.why !== null && offer.why.kind !== "nothing_left")
    return redirectToProblem(request, payment, offer.why.kind);
  const input = readRefundInput(payment, equation, fields, context.language);
  const by = decidedBy(request);
  if ("problem" in input || by === null) {
    const problem = "problem" in input ? input : { problem: context.texts.problems.name_missing ?? "" };
    return pageResponse(refundFormPage({ view, equation, fields, ...problem }, context), 422);
  }
  const decision = request.fields.decision ?? request.engine.random.uuid();
  const recordsInShop = await isRecordedInShop(request, payment);
  const now = request.engine.clock.now();
  return pageResponse(refundConfirmPage({ view, equation, ...input, by, decision, recordsInShop, now }, context));
}

/**
 * Sends the confirmed refund. Its decision is named by the confirmation page, so a double click, a reload and the Back button repeat one
 * refund. A page that is older than another movement of the payment is refused: its preview is no longer true.
 */
export async function confirmRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { fields } = request;
  const { decision: id = "", transaction } = fields;
  if (!DECISION_PATTERN.test(id)) return redirectToProblem(request, payment, "form_expired");
  const { equation } = chosenTransaction(await viewOf(request, payment), transaction) ?? {};
  const form = equation && readConfirmedRefund(payment, equation, fields);
  if (!form) return redirectToProblem(request, payment, "changed");
  const choice = {
    kind: "refund",
    transactionId: transaction || null,
    amount: form.amount,
    reason: form.reason,
  } as const;
  const confirmed = fields.over === undefined ? {} : { overDispute: true as const };
  return await decideOn(request, payment, { ...choice, ...confirmed }, { id, formPath: "/refund" });
}

/** The transaction that a form or a link names, or the one that paid the session; null for an unknown one. */
function chosenTransaction(view: View, transactionId: string | undefined): { equation: Equation; offer: Offer } | null {
  const index = transactionId ? view.sums.findIndex((equation) => equation.transactionId === transactionId) : 0;
  const equation = view.sums[index];
  const offer = equation && offerOf(view, "refund", index === 0 ? null : equation.transactionId);
  return equation && offer ? { equation, offer } : null;
}

export async function showRefunds({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const page = await ledger.listRefunds({ limit: serverLimits.rowsPerPage, ...(after === undefined ? {} : { after }) });
  const found = await ledger.paymentsWithMovements([...new Set(page.rows.map(({ paymentId }) => paymentId))]);
  const payments = new Map(found.map(({ payment }) => [payment.id, payment]));
  const rows = page.rows.map((refund) => ({ refund, payment: payments.get(refund.paymentId) ?? null }));
  return pageResponse(refundsPage({ page: { rows, next: page.next }, after: after ?? null }, context));
}

// Null: the shop is not one of this server's shops any more, or cannot be opened now.
async function isRecordedInShop({ engine }: OperatorRequest, { ref }: Payment): Promise<boolean | null> {
  return await engine.store(ref.storeId).then(
    (store) => store.recordRefund !== undefined,
    () => null,
  );
}
