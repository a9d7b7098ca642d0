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
import { hostLimits } from "../../limits.ts";
import { goTo, type OperatorReply, type OperatorVisit, pathOf, showOperatorPage } from "../operator-visit.ts";
import { acceptPage, refundPage } from "../pages/decision-pages.ts";
import type { NoticeCode } from "../words/words.ts";
import { noPayment } from "./visit-payment.ts";

export async function askAccept(visit: OperatorVisit): Promise<OperatorReply> {
  const payment = await visit.ledger.find({ id: visit.id });
  if (!payment) return noPayment(visit);
  if (payment.state !== "review") return goTo(visit, pathOf(payment));
  return showOperatorPage(acceptPage(payment, visit.query, visit.look));
}

export async function askRefund(visit: OperatorVisit): Promise<OperatorReply> {
  const payment = await visit.ledger.find({ id: visit.id });
  if (!payment) return noPayment(visit);
  if (payment.state !== "review" && payment.state !== "duplicate") return goTo(visit, pathOf(payment));
  const left = refundableAmount(payment, await visit.ledger.refunds(payment.id));
  return showOperatorPage(refundPage(payment, left, visit.query, visit.look));
}

/** Waives exactly the difference that the page showed: another one, found meanwhile, is shown first. */
export async function accept(visit: OperatorVisit): Promise<OperatorReply> {
  const payment = await visit.ledger.find({ id: visit.id });
  if (!payment) return noPayment(visit);
  const by = nameIn(visit.fields.by ?? "");
  if (by === null) return goTo(visit, `${pathOf(payment)}/accept?problem=name_missing`);
  if (visit.fields.finding !== JSON.stringify(payment.finding)) return problem(visit, payment, "ledger_busy");
  return await decide(visit, payment, async () => {
    const { status } = await acceptReview(visit.engine, { paymentId: payment.id, by });
    return status === "paid" ? "accepted" : "under_way";
  });
}

export async function refund(visit: OperatorVisit): Promise<OperatorReply> {
  const payment = await visit.ledger.find({ id: visit.id });
  if (!payment) return noPayment(visit);
  const by = nameIn(visit.fields.by ?? "");
  if (by === null) return goTo(visit, `${pathOf(payment)}/refund?problem=name_missing`);
  return await decide(visit, payment, async () =>
    refundNotice(await refundReview(visit.engine, { paymentId: payment.id, by })),
  );
}

export async function replay(visit: OperatorVisit): Promise<OperatorReply> {
  await retryDeadJob(visit.engine, visit.id);
  return goTo(visit, "/dead?done=replayed");
}

// The engine goes on with a decision that takes longer than a person waits.
async function decide(
  visit: OperatorVisit,
  payment: Payment,
  act: () => Promise<NoticeCode | "refund_refused">,
): Promise<OperatorReply> {
  const { clock, log } = visit.engine;
  const acting = act().catch((error: unknown) => {
    log.warn("operators.decision_failed", { paymentId: payment.id, code: codeOf(error) });
    return { failed: codeOf(error) };
  });
  const notice = (await resolveWithin(clock, hostLimits.decisionMs, acting)) ?? "under_way";
  if (typeof notice === "object") return problem(visit, payment, notice.failed);
  if (notice === "refund_refused") return problem(visit, payment, notice);
  return goTo(visit, `${pathOf(payment)}?done=${notice}`);
}

function refundNotice({ state }: Refund): NoticeCode | "refund_refused" {
  if (state === "completed") return "refunded";
  return state === "failed" ? "refund_refused" : "refund_pending";
}

function problem(visit: OperatorVisit, payment: Payment, code: string): OperatorReply {
  return goTo(visit, `${pathOf(payment)}?problem=${encodeURIComponent(code)}`);
}

// It stays in the story for good: nothing that looks like an e-mail, a phone or a key.
function nameIn(text: string): string | null {
  const name = text.trim().replace(/\s+/g, " ");
  const fits = name !== "" && name.length <= hostLimits.operatorNameLength && safeText(name) === name;
  return fits ? name : null;
}
