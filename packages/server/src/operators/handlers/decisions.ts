import { type DeadJobAnswer, endDeadJob, isDoneByHand, retryDeadJob, type View } from "@tillkit/core/back-office";
import { listCopies } from "@tillkit/core/hosts";
import { serverLimits } from "../../limits.ts";
import { acceptPage, refundPage } from "../pages/decision-pages.ts";
import { decideOn, viewAnew } from "./decide.ts";
import {
  type OperatorRequest,
  type OperatorResponse,
  pageResponse,
  paymentNotFound,
  paymentPath,
  redirectTo,
} from "./operator-request.ts";
import { recordAct } from "./record-act.ts";

export async function showAcceptForm(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  if (payment.state !== "review") return redirectTo(request, paymentPath(payment));
  const shown = { view: await viewAnew(request, payment), now: request.engine.clock.now() };
  return pageResponse(acceptPage(shown, request.query, request.context));
}

/** A held payment is always refunded in full, so this form is also the confirmation. */
export function heldRefundForm({ engine, query, context }: OperatorRequest, view: View): OperatorResponse {
  return pageResponse(refundPage({ view, now: engine.clock.now() }, query, context));
}

/** Accepts exactly the difference that the page showed. When the difference has changed, the operator sees the new difference first. */
export async function acceptDifference(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  return await decideOn(request, payment, { kind: "accept" }, { formPath: "/accept" });
}

/** Refunds exactly what the page showed. When that has changed, the operator sees the page again first. */
export async function refundHeld(request: OperatorRequest): Promise<OperatorResponse> {
  const payment = await request.ledger.find({ id: request.id });
  if (!payment) return paymentNotFound(request);
  return await decideOn(
    request,
    payment,
    { kind: "refund", transactionId: null, amount: null },
    { formPath: "/refund" },
  );
}

/** Retries the newest dead-letter jobs, up to a limit; the list shows the jobs that are left. */
export async function retryAllJobs(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger } = request;
  const { rows } = await ledger.listJobs({ dead: true, limit: serverLimits.maxRetriedJobs });
  const retryable = rows.filter(({ error }) => !isDoneByHand(error));
  await recordAct(request, { act: "retry_all", paymentId: null, detail: String(retryable.length) });
  const answers = new Set<DeadJobAnswer>();
  for (const { id } of retryable) answers.add(await retryDeadJob({ ledger, clock: engine.clock }, id));
  return redirectTo(request, answers.has("retried") ? "/dead?done=retried" : "/dead?problem=none_retried");
}

export async function retryJob(request: OperatorRequest): Promise<OperatorResponse> {
  const { engine, ledger } = request;
  return await answerJob(request, "retry", () => retryDeadJob({ ledger, clock: engine.clock }, request.id));
}

/** The operator says whether a shop moved to an address, or is only copied there. */
export async function answerInstallation(request: OperatorRequest): Promise<OperatorResponse> {
  const { storeId = "", address = "", answer } = request.fields;
  const found = (await listCopies(request.ledger.records)).some(
    (copy) => copy.storeId === storeId && copy.address === address,
  );
  if (!found || (answer !== "moved" && answer !== "copy")) return redirectTo(request, "/?problem=changed");
  await recordAct(request, { act: `installation_${answer}`, paymentId: null, detail: address });
  await request.engine.installations.answer(storeId, `https://${address}`, answer);
  return redirectTo(request, `/?done=installation_${answer}`);
}

/** The operator has recorded the job's refund in the shop. */
export async function endJob(request: OperatorRequest): Promise<OperatorResponse> {
  return await answerJob(request, "recorded_by_hand", () => endDeadJob({ ledger: request.ledger }, request.id));
}

async function answerJob(
  request: OperatorRequest,
  act: "retry" | "recorded_by_hand",
  answer: () => Promise<DeadJobAnswer>,
): Promise<OperatorResponse> {
  // Anything else in the path is no id of a job, and stays out of the log of acts.
  const jobId = /^[\w-]{1,40}$/.test(request.id) ? request.id : "";
  await recordAct(request, { act, paymentId: null, detail: jobId });
  const became = await answer();
  const isDone = became === "retried" || became === "ended";
  return redirectTo(request, isDone ? `/dead?done=${became}` : `/dead?problem=job_${became}`);
}
