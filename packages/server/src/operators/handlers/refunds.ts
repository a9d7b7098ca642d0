import { decimalText, type Payment, type Refusal } from "@tillkit/core";
import { isHeld, obstacleToRefund, refundSubjectOf } from "@tillkit/core/back-office";
import { serverLimits } from "../../limits.ts";
import { refundConfirmPage, refundFormPage } from "../pages/refund-pages.ts";
import { refundsPage } from "../pages/refunds-page.ts";
import { decidedBy, decideOn, redirectToProblem, viewAnew, viewOf } from "./decide.ts";
import { heldRefundForm, refundHeld } from "./decisions.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentNotFound,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";
import { readConfirmedRefund, readRefundInput } from "./refund-input.ts";

/** Its amounts explain them, so they are shown in the form. */
const SHOWN_OBSTACLES: ReadonlySet<Refusal["kind"]> = new Set(["refund_in_doubt", "nothing_left"]);

const DECISION_PATTERN = /^[\w-]{8,64}$/;

export async function showRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { transaction } = request.query;
  const view = await viewAnew(request, payment);
  const chosen = refundSubjectOf(view, transaction);
  if (chosen === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const { equation } = chosen;
  const obstacle = obstacleToRefund(view, chosen);
  // A held payment is refunded as a whole by one click. What is disputed needs the form, with its second step.
  const isWhole = isHeld(view.payment) && !transaction && view.sum.disputed.minor === 0;
  if (isWhole && obstacle === null) return heldRefundForm(request, view);
  if (obstacle !== null && !SHOWN_OBSTACLES.has(obstacle.kind)) return redirectTo(request, paymentPath(payment));
  const { available } = equation;
  const fields = { amount: available.minor > 0 ? decimalText(available) : "", reason: "", by: "" };
  return pageResponse(refundFormPage({ view, equation, obstacle, fields, problem: null }, request.context));
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
  const chosen = refundSubjectOf(view, request.fields.transaction);
  if (chosen === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const { equation } = chosen;
  const obstacle = obstacleToRefund(view, chosen);
  if (obstacle !== null) return redirectToProblem(request, payment, obstacle.kind);
  const input = readRefundInput(view, chosen, fields, context.language);
  const by = decidedBy(request);
  if ("problem" in input || by === null) {
    const problem = "problem" in input ? input : { problem: context.texts.problems.name_missing ?? "" };
    return pageResponse(refundFormPage({ view, equation, obstacle, fields, ...problem }, context), 422);
  }
  const decision = request.fields.decision ?? request.engine.random.uuid();
  // The order shows no refund of a further transaction: it gets a note.
  const isFurther = view.sums.indexOf(equation) > 0;
  const recordsInShop = isFurther ? null : await isRecordedInShop(request, payment);
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
  const chosen = refundSubjectOf(await viewOf(request, payment), transaction);
  const form = chosen && readConfirmedRefund(chosen, fields);
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

export async function showRefunds({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const ofMode = { environment: context.mode, limit: serverLimits.rowsPerPage };
  const page = await ledger.listRefunds({ ...ofMode, ...(after === undefined ? {} : { after }) });
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
