import { decimalText, formatMoney, type Payment, type PaymentState, type Refund, refundPayment } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { refundConfirmPage, refundFormPage } from "../pages/refund-pages.ts";
import { refundsPage } from "../pages/refunds-page.ts";
import { chosenEquation } from "../pages/shown-money.ts";
import { type DecisionResult, decide, decidedBy, redirectToProblem, refundResult } from "./decide.ts";
import { refundHeld, showHeldRefundForm } from "./decisions.ts";
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
import { readRefundInput } from "./refund-input.ts";

const PAID: readonly PaymentState[] = ["recorded", "verified"];
const HELD: readonly PaymentState[] = ["review", "duplicate"];
/** The states in which a further transaction of the session may be refunded: its money is the shopper's, whatever became of the order. */
const ARRIVED: readonly PaymentState[] = [...PAID, ...HELD, "refunding", "refunded"];

export async function showRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { transaction } = request.query;
  const isHeld = HELD.includes(payment.state);
  if (isHeld && !transaction && !(await isDisputed(request, payment))) return await showHeldRefundForm(request);
  if (!statesFor(transaction, isHeld).includes(payment.state)) return redirectTo(request, paymentPath(payment));
  const money = await readMoneyAnew(request, payment);
  const equation = chosenEquation(money, transaction);
  if (equation === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const { available } = equation;
  const fields = { amount: available.minor > 0 ? decimalText(available) : "", reason: "", by: "" };
  return pageResponse(refundFormPage({ payment, money, equation, isHeld, fields, problem: null }, request.context));
}

/** Shows what the refund will do, and asks for a confirmation. Nothing is sent to the service yet. */
export async function previewRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { context } = request;
  const fields = { amount: "", reason: "", by: "", ...request.fields };
  const isHeld = HELD.includes(payment.state);
  // Only the page of a held payment sends `whole`. The form of a payment that was held meanwhile refunds nothing, nor the reverse.
  if (isHeld && request.fields.whole !== undefined) return await refundHeld(request);
  if (isHeld !== wasHeld(request)) return redirectToProblem(request, payment, "ledger_busy");
  if (!statesFor(request.fields.transaction, isHeld).includes(payment.state))
    return redirectToProblem(request, payment, "refund_not_possible");
  const money = await readMoneyAnew(request, payment);
  const equation = chosenEquation(money, request.fields.transaction);
  if (equation === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const input = readRefundInput(payment, equation, fields, context.language);
  const by = decidedBy(request);
  const subject = { payment, money, equation, isHeld };
  if ("problem" in input || by === null) {
    const problem = "problem" in input ? input : { problem: context.texts.problems.name_missing ?? "" };
    return pageResponse(refundFormPage({ ...subject, fields, ...problem }, context), 422);
  }
  const decision = request.fields.decision ?? request.engine.random.uuid();
  const recordsInShop = await isRecordedInShop(request, payment);
  const now = request.engine.clock.now();
  return pageResponse(refundConfirmPage({ ...subject, ...input, by, decision, recordsInShop, now }, context));
}

/**
 * Sends the confirmed refund. Its key comes from the confirmation page, so a double click, a reload and the Back button repeat one
 * refund. A page that is older than another refund or dispute of the payment is refused: its preview is no longer true.
 */
export async function confirmRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { fields, context } = request;
  const money = await readMoney(request, payment);
  const key = `page:${payment.id}:${fields.decision ?? ""}`;
  const known = money.refunds.find((refund) => refund.key === key);
  if (known)
    return await decide(request, payment, async () => resultOf(request, await repeatRefund(request, payment, known)));
  const by = decidedBy(request);
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/refund?problem=name_missing`);
  if (!DECISION_PATTERN.test(fields.decision ?? "")) return redirectToProblem(request, payment, "form_expired");
  if (fields.seen !== money.seen) return redirectToProblem(request, payment, "ledger_busy");
  const equation = chosenEquation(money, fields.transaction);
  if (equation === null) return redirectToProblem(request, payment, "transaction_not_possible");
  const form = readRefundInput(payment, equation, { amount: "", reason: "", ...fields }, context.language);
  if ("problem" in form)
    return redirectToProblem(request, payment, form.disputed ? "refund_over_dispute" : "refund_too_large");
  return await decide(request, payment, async () => {
    const { amount, reason, overDispute } = form;
    const over = overDispute === null ? "" : `, over a dispute of ${formatMoney(overDispute, "en")}`;
    const detail = `${formatMoney(amount, "en")} ${reason}${over}`;
    await recordAct(request, { act: "refund", by, paymentId: payment.id, detail });
    const refund = await refundPayment(request.engine, {
      paymentId: payment.id,
      key,
      amount,
      reason,
      by,
      origin: "tillkit",
      allowedStates: statesFor(fields.transaction, wasHeld(request)),
      ...(fields.transaction ? { transactionId: fields.transaction } : {}),
      ...(overDispute === null ? {} : { overDispute }),
      // Another person may decide at the same moment. The engine calls this right before it commits the refund.
      stillApplies: async () => fields.seen === (await readMoney(request, payment)).seen,
    });
    return resultOf(request, refund);
  });
}

/** The states of a payment in which this form may refund it. */
function statesFor(transactionId: string | undefined, isHeld: boolean): readonly PaymentState[] {
  if (transactionId) return ARRIVED;
  return isHeld ? HELD : PAID;
}

function wasHeld({ fields }: OperatorRequest): boolean {
  return fields.held === "yes";
}

// A held payment is refunded as a whole by one click. What is disputed needs the form, with its second step.
async function isDisputed(request: OperatorRequest, payment: Payment): Promise<boolean> {
  return (await readMoney(request, payment)).sum.disputed.minor > 0;
}

export async function showRefunds({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const page = await ledger.listRefunds({ limit: serverLimits.rowsPerPage, ...(after === undefined ? {} : { after }) });
  const found = await ledger.paymentsWithMovements([...new Set(page.rows.map(({ paymentId }) => paymentId))]);
  const payments = new Map(found.map(({ payment }) => [payment.id, payment]));
  const rows = page.rows.map((refund) => ({ refund, payment: payments.get(refund.paymentId) ?? null }));
  return pageResponse(refundsPage({ page: { rows, next: page.next }, after: after ?? null }, context));
}

async function resultOf({ ledger }: OperatorRequest, refund: Refund): Promise<DecisionResult> {
  const payment = await ledger.find({ id: refund.paymentId });
  const isInPart = refund.state === "completed" && payment !== null && payment.state !== "refunded";
  return isInPart ? "refunded_in_part" : refundResult(refund);
}

const DECISION_PATTERN = /^[\w-]{8,64}$/;

// Returns the refund that was sent under this key. A refund in doubt is sent again under the same key.
async function repeatRefund({ engine }: OperatorRequest, payment: Payment, { key, amount }: Refund): Promise<Refund> {
  return await refundPayment(engine, { paymentId: payment.id, key, amount, origin: "tillkit" });
}

// Null: the shop is not one of this server's shops any more, or cannot be opened now.
async function isRecordedInShop({ engine }: OperatorRequest, { ref }: Payment): Promise<boolean | null> {
  return await engine.store(ref.storeId).then(
    (store) => store.recordRefund !== undefined,
    () => null,
  );
}
