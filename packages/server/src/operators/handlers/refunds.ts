import {
  decimalText,
  formatMoney,
  type Payment,
  type PaymentState,
  type Refund,
  refundableAmount,
  refundPayment,
} from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { refundConfirmPage, refundFormPage } from "../pages/refund-pages.ts";
import { refundsPage } from "../pages/refunds-page.ts";
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
import { recordAct } from "./record-act.ts";
import { readRefundInput } from "./refund-input.ts";
import { readMoney, readMoneyAnew } from "./shown-money.ts";

const PAID: readonly PaymentState[] = ["recorded", "verified"];
const HELD: readonly PaymentState[] = ["review", "duplicate"];
const IN_DOUBT: readonly Refund["state"][] = ["requested", "unknown"];

export async function showRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  if (HELD.includes(payment.state)) return await showHeldRefundForm(request);
  if (!PAID.includes(payment.state)) return redirectTo(request, paymentPath(payment));
  const { refunds } = await readMoneyAnew(request, payment);
  const fields = { amount: decimalText(refundableAmount(payment, refunds)), reason: "", by: "" };
  return pageResponse(
    refundFormPage({ payment, refunds, fields, isInDoubt: isInDoubt(refunds), problem: null }, request.context),
  );
}

/** Shows what the refund will do, and asks for a confirmation. Nothing is sent to the service yet. */
export async function previewRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  // Only the page of a held payment sends `whole`. The form of a payment that was held meanwhile refunds nothing.
  if (HELD.includes(payment.state) && request.fields.whole !== undefined) return await refundHeld(request);
  if (HELD.includes(payment.state)) return redirectToProblem(request, payment, "ledger_busy");
  if (!PAID.includes(payment.state)) return redirectToProblem(request, payment, "refund_not_possible");
  const { context } = request;
  const money = await readMoneyAnew(request, payment);
  const { refunds } = money;
  const fields = { amount: "", reason: "", by: "", ...request.fields };
  const input = readRefundInput(payment, refunds, fields, context.language);
  const by = decidedBy(request);
  if ("problem" in input || by === null) {
    const problem = "problem" in input ? input.problem : (context.texts.problems.name_missing ?? "");
    const form = { payment, refunds, fields, isInDoubt: isInDoubt(refunds), problem };
    return pageResponse(refundFormPage(form, context), 422);
  }
  const decision = request.fields.decision ?? request.engine.random.uuid();
  const recordsInShop = await isRecordedInShop(request, payment);
  const now = request.engine.clock.now();
  return pageResponse(refundConfirmPage({ payment, ...money, ...input, by, decision, recordsInShop, now }, context));
}

/**
 * Sends the confirmed refund. Its key comes from the confirmation page, so a double click, a reload and the Back button repeat one
 * refund. A page that is older than another refund or dispute of the payment is refused: its preview is no longer true.
 */
export async function confirmRefund(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const { fields, context } = request;
  const { refunds, seen } = await readMoney(request, payment);
  const key = `page:${payment.id}:${fields.decision ?? ""}`;
  const known = refunds.find((refund) => refund.key === key);
  if (known)
    return await decide(request, payment, async () => resultOf(request, await repeatRefund(request, payment, known)));
  const by = decidedBy(request);
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/refund?problem=name_missing`);
  if (!DECISION_PATTERN.test(fields.decision ?? "")) return redirectToProblem(request, payment, "form_expired");
  if (fields.seen !== seen) return redirectToProblem(request, payment, "ledger_busy");
  const form = readRefundInput(payment, refunds, { amount: "", reason: "", ...fields }, context.language);
  if ("problem" in form) return redirectToProblem(request, payment, "refund_too_large");
  return await decide(request, payment, async () => {
    const { amount, reason } = form;
    const detail = `${formatMoney(amount, "en")} ${reason}`;
    await recordAct(request, { act: "refund", by, paymentId: payment.id, detail });
    const input = { paymentId: payment.id, key, amount, reason, by, origin: "tillkit", allowedStates: PAID } as const;
    // Another person may decide at the same moment. The engine calls `stillApplies` right before it commits the refund.
    const stillApplies = async () => fields.seen === (await readMoney(request, payment)).seen;
    return resultOf(request, await refundPayment(request.engine, { ...input, stillApplies }));
  });
}

export async function showRefunds({ ledger, context, query }: OperatorRequest): Promise<OperatorResponse> {
  const { after } = query;
  const page = await ledger.listRefunds({ limit: serverLimits.rowsPerPage, ...(after === undefined ? {} : { after }) });
  const rows = await Promise.all(
    page.rows.map(async (refund) => ({ refund, payment: await ledger.find({ id: refund.paymentId }) })),
  );
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

function isInDoubt(refunds: readonly Refund[]): boolean {
  return refunds.some(({ state }) => IN_DOUBT.includes(state));
}

// Null: the shop is not one of this server's shops any more, or cannot be opened now.
async function isRecordedInShop({ engine }: OperatorRequest, { ref }: Payment): Promise<boolean | null> {
  return await engine.store(ref.storeId).then(
    (store) => store.recordRefund !== undefined,
    () => null,
  );
}
