import { acceptReview, decimalText, findingKey, formatMoney, refundReview, retryDeadJob } from "@tillkit/core";
import { serverLimits } from "../../limits.ts";
import { acceptPage, refundPage } from "../pages/decision-pages.ts";
import { decide, decidedBy, redirectToProblem, refundResult } from "./decide.ts";
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

export async function showAcceptForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  if (payment.state !== "review") return redirectTo(request, paymentPath(payment));
  const money = await readMoneyAnew(request, payment);
  return pageResponse(acceptPage({ payment, money, now: request.engine.clock.now() }, request.query, request.context));
}

/** A held payment is always refunded in full, so this form is also the confirmation. */
export async function showHeldRefundForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const money = await readMoneyAnew(request, payment);
  return pageResponse(refundPage({ payment, money, now: request.engine.clock.now() }, request.query, request.context));
}

/** Accepts exactly the difference that the page showed. When the difference has changed, the operator sees the new difference first. */
export async function acceptDifference(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const by = decidedBy(request);
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/accept?problem=name_missing`);
  const { finding: seen = "", seen: seenMoney } = request.fields;
  const stillApplies = async () => (await readMoney(request, payment)).seen === seenMoney;
  const isOutdated = payment.finding !== null && findingKey(payment.finding) !== seen;
  if (isOutdated || !(await stillApplies())) return redirectToProblem(request, payment, "ledger_busy");
  return await decide(request, payment, async () => {
    await recordAct(request, { act: "accept", by, paymentId: payment.id, detail: payment.finding?.code ?? "" });
    const { status } = await acceptReview(request.engine, { paymentId: payment.id, by, seen, stillApplies });
    return status === "paid" ? "accepted" : "in_progress";
  });
}

/** Refunds exactly what the page showed. When that has changed, the operator sees the page again first. */
export async function refundHeld(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  const by = decidedBy(request);
  if (by === null) return redirectTo(request, `${paymentPath(payment)}/refund?problem=name_missing`);
  const { fields } = request;
  const { equations, seen } = await readMoney(request, payment);
  const refundable = equations[0].available;
  if (fields.whole !== decimalText(refundable) || fields.seen !== seen)
    return redirectToProblem(request, payment, "ledger_busy");
  const stillApplies = async () => (await readMoney(request, payment)).seen === seen;
  return await decide(request, payment, async () => {
    await recordAct(request, { act: "refund", by, paymentId: payment.id, detail: formatMoney(refundable, "en") });
    return refundResult(await refundReview(request.engine, { paymentId: payment.id, by, stillApplies }));
  });
}

/** Retries the newest dead-letter jobs, up to a limit; the list shows the jobs that are left. */
export async function retryAllJobs(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger } = request;
  const { rows } = await ledger.listJobs({ dead: true, limit: serverLimits.maxRetriedJobs });
  await recordAct(request, { act: "retry_all", paymentId: null, detail: String(rows.length) });
  for (const { id } of rows) await retryDeadJob(engine, id);
  return redirectTo(request, "/dead?done=retried");
}

export async function retryJob(request: OperatorRequest): Promise<OperatorResponse> {
  // Anything else in the path is no id of a job, and stays out of the log of acts.
  const jobId = /^[\w-]{1,40}$/.test(request.id) ? request.id : "";
  await recordAct(request, { act: "retry", paymentId: null, detail: jobId });
  await retryDeadJob(request.engine, request.id);
  return redirectTo(request, "/dead?done=retried");
}
