import { codeOf, type Payment } from "@tillkit/core";
import {
  type BackOffice,
  type Choice,
  type Decided,
  decide,
  personName,
  type View,
  viewPayment,
  viewPaymentAnew,
} from "@tillkit/core/back-office";
import { resolveWithin } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import type { NoticeCode } from "../texts/operator-texts.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  paymentNotFound,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";

/**
 * Carries out what an operator chose, if the payment is as the page showed it, and shows the result on the payment's page. The engine continues
 * a decision that takes longer than an operator waits. `id` names the decision, so that a repeat of it is the same decision.
 */
export async function decideOn(
  request: OperatorRequest,
  payment: Payment,
  choice: Choice,
  { id, formPath }: { readonly id?: string; readonly formPath: string },
): Promise<OperatorResponse> {
  const by = decidedBy(request);
  if (by === null) return redirectTo(request, withProblem(`${paymentPath(payment)}${formPath}`, "name_missing"));
  const { clock, log } = request.engine;
  const { canDecide, storeId } = request.context.operator;
  const person = { by, right: canDecide ? "operator" : "viewer", storeId } as const;
  const named = id === undefined ? {} : { id };
  const decision = { ...choice, ...named, paymentId: payment.id, person, seen: request.fields.seen ?? "" };
  const running = decide(officeOf(request), decision).catch((error: unknown) => {
    log.error("operators.decision_failed", { paymentId: payment.id, code: codeOf(error) });
    return { status: "failed", code: codeOf(error) } as const;
  });
  const decided = await resolveWithin(clock, serverLimits.decisionTimeoutMs, running);
  switch (decided?.status) {
    case undefined:
      return redirectTo(request, `${paymentPath(payment)}?done=in_progress`);
    case "done":
      return redirectTo(request, `${paymentPath(payment)}?done=${noticeOf(choice, decided)}`);
    case "refused":
      return redirectToProblem(request, payment, decided.why.kind, transactionOf(choice));
    case "failed":
      return redirectToProblem(request, payment, decided.code);
    case "unknown":
      return paymentNotFound(request);
    case "changed":
      return redirectToProblem(request, payment, "changed");
  }
}

function noticeOf({ kind }: Choice, { view, refund }: Extract<Decided, { status: "done" }>): NoticeCode {
  switch (kind) {
    case "accept":
      return view.payment.state === "recorded" ? "accepted" : "in_progress";
    case "nameTransaction":
      return "transaction_named";
    case "looked":
      return "refund_settled";
    case "disputeOutcome":
      return "dispute_decided";
    default:
      if (refund?.state !== "completed") return "refund_pending";
      return view.payment.state === "refunded" ? "refunded" : "refunded_in_part";
  }
}

/** The operators' pages see every store of the ledger, and no shop's own records. */
function officeOf({ engine, ledger }: OperatorRequest): BackOffice {
  return { engine, acts: ledger };
}

export async function viewOf(request: OperatorRequest, payment: Payment): Promise<View> {
  return await viewPayment(officeOf(request), payment);
}

/** The same after the service's refunds were read, for a page on which a person decides about money. */
export async function viewAnew(request: OperatorRequest, payment: Payment): Promise<View> {
  return await viewPaymentAnew(officeOf(request), payment);
}

/** `transaction`: the one that the problem is about, where it is not the one that paid the session. */
export function redirectToProblem(
  request: OperatorRequest,
  payment: Payment,
  code: string,
  transaction: string | null = null,
): OperatorResponse {
  const of = transaction === null ? "" : `&transaction=${encodeURIComponent(transaction)}`;
  return redirectTo(request, `${withProblem(paymentPath(payment), code)}${of}`);
}

function transactionOf(choice: Choice): string | null {
  return choice.kind === "refund" ? choice.transactionId : null;
}

function withProblem(path: string, code: string): string {
  return `${path}?problem=${encodeURIComponent(code)}`;
}

/** Who decides: the name of the operator's token, or for a token without a name the name in the form. Null when that name cannot stay. */
export function decidedBy({ context, fields }: OperatorRequest): string | null {
  return context.operator.name ?? personName(fields.by);
}
