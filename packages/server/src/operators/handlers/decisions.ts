import {
  acceptReview,
  codeOf,
  type Payment,
  type Refund,
  refundableAmount,
  refundReview,
  resolveWithin,
  retryDeadJob,
  safeText,
} from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { acceptPage, refundPage } from "../pages/decision-pages.ts";
import type { NoticeCode } from "../texts/operator-texts.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";
import { paymentNotFound } from "./payment.ts";

export async function showAcceptForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  if (payment.state !== "review") return redirectTo(request, paymentPath(payment));
  return pageResponse(acceptPage(payment, request.query, request.context));
}

export async function showRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  if (payment.state !== "review" && payment.state !== "duplicate") return redirectTo(request, paymentPath(payment));
  const refundable = refundableAmount(payment, await request.ledger.refunds(payment.id));
  return pageResponse(refundPage(payment, refundable, request.query, request.context));
}

/** Accepts exactly the difference that the page showed. When it has changed, the operator sees the new one first. */
export async function acceptDifference(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const by = readName(request.fields.by ?? "");
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/accept?problem=name_missing`);
  if (request.fields.finding !== JSON.stringify(payment.finding))
    return redirectToProblem(request, payment, "ledger_busy");
  return await decide(request, payment, async () => {
    const { status } = await acceptReview(request.engine, { paymentId: payment.id, by });
    return status === "paid" ? "accepted" : "in_progress";
  });
}

export async function refundHeld(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const by = readName(request.fields.by ?? "");
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/refund?problem=name_missing`);
  return await decide(request, payment, async () =>
    refundNotice(await refundReview(request.engine, { paymentId: payment.id, by })),
  );
}

export async function retryJob(request: OperatorRequest): Promise<OperatorResponse> {
  await retryDeadJob(request.engine, request.id);
  return redirectTo(request, "/dead?done=retried");
}

// The engine continues a decision that takes longer than an operator waits.
async function decide(
  request: OperatorRequest,
  payment: Payment,
  run: () => Promise<NoticeCode | "refund_refused">,
): Promise<OperatorResponse> {
  const { clock, log } = request.engine;
  const running = run().catch((error: unknown) => {
    log.warn("operators.decision_failed", { paymentId: payment.id, code: codeOf(error) });
    return { failed: codeOf(error) };
  });
  const notice = (await resolveWithin(clock, serverLimits.decisionTimeoutMs, running)) ?? "in_progress";
  if (typeof notice === "object") return redirectToProblem(request, payment, notice.failed);
  if (notice === "refund_refused") return redirectToProblem(request, payment, notice);
  return redirectTo(request, `${paymentPath(payment)}?done=${notice}`);
}

function refundNotice({ state }: Refund): NoticeCode | "refund_refused" {
  if (state === "completed") return "refunded";
  return state === "failed" ? "refund_refused" : "refund_pending";
}

function redirectToProblem(request: OperatorRequest, payment: Payment, code: string): OperatorResponse {
  return redirectTo(request, `${paymentPath(payment)}?problem=${encodeURIComponent(code)}`);
}

// The name stays in the timeline, so text that looks like an e-mail address, a phone number or a key is rejected.
function readName(text: string): string | null {
  const name = text.trim().replace(/\s+/g, " ");
  const fits = name !== "" && name.length <= serverLimits.maxOperatorNameLength && safeText(name) === name;
  return fits ? name : null;
}
