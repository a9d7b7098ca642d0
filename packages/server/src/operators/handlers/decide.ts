import { codeOf, type Payment, type Refund, resolveWithin, safeText } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import type { NoticeCode } from "../texts/operator-texts.ts";
import { type OperatorRequest, type OperatorResponse, paymentPath, redirectTo } from "./operator-request.ts";

export type DecisionResult = NoticeCode | "refund_refused";

/** Runs a decision and shows its result on the payment's page. The engine continues a decision that takes longer than an operator waits. */
export async function decide(
  request: OperatorRequest,
  payment: Payment,
  run: () => Promise<DecisionResult>,
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

export function refundResult({ state }: Refund): DecisionResult {
  if (state === "completed") return "refunded";
  return state === "failed" ? "refund_refused" : "refund_pending";
}

export function redirectToProblem(request: OperatorRequest, payment: Payment, code: string): OperatorResponse {
  return redirectTo(request, `${paymentPath(payment)}?problem=${encodeURIComponent(code)}`);
}

/**
 * Who decides: the name of the operator's token, or for a token without a name the name in the form. Null when the name in the form
 * cannot stay in the timeline, because it is empty, too long, or looks like an e-mail address, a phone number or a key.
 */
export function decidedBy({ context, fields }: OperatorRequest): string | null {
  if (context.operator.name !== null) return context.operator.name;
  const name = (fields.by ?? "").trim().replace(/\s+/g, " ");
  const fits = name !== "" && name.length <= serverLimits.maxOperatorNameLength && safeText(name) === name;
  return fits ? name : null;
}
