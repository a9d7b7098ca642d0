import {
  formatJobError,
  formatMoney,
  type Payment,
  type PaymentState,
  refusalText,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { timeText } from "../../pages/time-text.ts";
import type { NoticeCode, OperatorTexts } from "../texts/operator-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import { formTokenField } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

export function time(at: number, context: PageContext): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${timeIn(at, context)}</time>`;
}

/** The time as text, in the operator's zone. */
export function timeIn(at: number, { language, zone }: PageContext): string {
  return timeText(at, language, { zone });
}

/** The time with seconds, for lists in which the order of events matters. */
export function exactTime(at: number, { language, zone }: PageContext): Html {
  const text = timeText(at, language, { zone, withSeconds: true });
  return html`<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}

const BADGE_CLASSES: Readonly<Partial<Record<PaymentState, string>>> = {
  recorded: "good",
  verified: "good",
  review: "care",
  duplicate: "care",
};

export function stateBadge(state: PaymentState, { texts }: PageContext): Html {
  return html`<span class="badge ${BADGE_CLASSES[state] ?? "calm"}">${texts.states[state]}</span>`;
}

export function paymentUrl(paymentId: string, { base }: PageContext): string {
  return `${base}/payments/${encodeURIComponent(paymentId)}`;
}

/** What people call the payment: its order's number. */
export function orderTitle({ orderNumber }: Payment, { texts }: PageContext): string {
  return `${texts.lists.order} ${orderNumber}`;
}

/** The order's number links to the payment. */
export function paymentRow(payment: Payment, context: PageContext, method: string | null = null): Html {
  const { ref, amountDue, state, createdAt, environment } = payment;
  return html`<li><div class="row"><a href="${paymentUrl(payment.id, context)}">${orderTitle(payment, context)}</a>
<span class="amount">${formatMoney(amountDue, context.language)}</span>
<span>${stateBadge(state, context)}${environment === "test" && html` <span class="small">${context.texts.payment.test}</span>`}</span>
<span class="small">${method !== null && methodText(method, context.language)}</span>
<span class="small">${ref.storeId}</span>
<span class="time">${time(createdAt, context)}</span></div></li>`;
}

/** A job with the number of its order; null for a job without a payment in the ledger. */
export type ShownJob = StoredJob & { readonly orderNumber: string | null };

export function jobRow(job: ShownJob, context: PageContext): Html {
  const { texts } = context;
  return html`<li${job.readyAt === null && html` class="attention"`}><div class="row"><strong>${texts.jobs[job.kind] ?? job.kind}</strong>
${job.storeId !== null && html`<span class="small">${job.storeId}</span>`}
<span class="time">${triesText(job, context)}</span></div>
${job.readyAt === null && html`<p>${adviceFor(job, texts)} <span class="small">${workTexts[context.language].dueSince(timeIn(job.dueAt, context))}</span></p>`}
${job.error !== null && html`<p class="small number">${formatJobError(job.error)}</p>`}
<div class="actions">${job.readyAt === null && context.operator.canDecide && retryForm(job.id, context)}
${job.paymentId !== null && html`<a href="${paymentUrl(job.paymentId, context)}">${job.orderNumber === null ? `${texts.payment.payment} ${job.paymentId}` : `${texts.lists.order} ${job.orderNumber}`}</a>`}</div></li>`;
}

function adviceFor({ error }: StoredJob, { advice }: OperatorTexts): string {
  return error?.code === "reconnect" ? advice.reconnect : advice.stopped;
}

function retryForm(jobId: string, context: PageContext): Html {
  return html`<form action="${context.base}/jobs/${encodeURIComponent(jobId)}/retry" method="post">${formTokenField(context)}<button class="second">${context.texts.decide.retry}</button></form>`;
}

export function deliveryUrl({ endpointId, digest }: StoredDelivery, { base }: PageContext): string {
  return `${base}/deliveries/${encodeURIComponent(endpointId)}/${encodeURIComponent(digest)}`;
}

/** A delivery with the number of its order; null for a delivery without a payment in the ledger. */
export type ShownDelivery = StoredDelivery & { readonly orderNumber: string | null };

export function deliveryRow(delivery: ShownDelivery, context: PageContext): Html {
  const { texts } = context;
  const { event, endpointId, paymentId, orderNumber, byteLength, attempts, receivedAt } = delivery;
  const kind = delivery.outcome ?? "waiting";
  const name = orderNumber === null ? `${texts.payment.payment} ${paymentId}` : `${texts.lists.order} ${orderNumber}`;
  return html`<li><div class="row"><span><span class="badge ${kind === "orphan" ? "care" : "calm"}">${texts.deliveryKind[kind]}</span></span>
<span>${event !== null && html`<code>${event}</code>`}</span>
<span>${paymentId !== null && html`<a href="${paymentUrl(paymentId, context)}">${name}</a>`}</span>
<span class="small">${endpointId}</span>
<span class="small">${byteLength === 0 ? texts.lists.pruned : html`<a href="${deliveryUrl(delivery, context)}">${texts.lists.body(byteLength)}</a>`}${attempts > 0 && `, ${texts.lists.tries(attempts)}`}</span>
<span class="time">${time(receivedAt, context)}</span></div></li>`;
}

/** `dense`: rows of one line in columns on a large screen, for lists that are scanned. */
export function rows(
  items: readonly Html[],
  { texts }: PageContext,
  look: "cards" | "dense" | "dense deliveries" = "cards",
): Html {
  if (items.length === 0) return html`<p>${texts.lists.empty}</p>`;
  return html`<ul class="rows${look !== "cards" && ` ${look}`}">${items}</ul>`;
}

/** `path` is the URL of this list with its filters. */
export function pager(
  path: string,
  { next, after }: { next: string | null; after: string | null },
  context: PageContext,
): Html {
  const separator = path.includes("?") ? "&" : "?";
  const { more, first } = context.texts.lists;
  if (next === null && after === null) return html``;
  return html`<p class="pager">${after !== null && html`<a href="${path}">${first}</a>`}${next !== null && html`<a href="${path}${separator}after=${encodeURIComponent(next)}">${more}</a>`}</p>`;
}

/** The result of the operator's last decision, which the URL names as `done` or `problem`. */
export function decisionNotice(query: Readonly<Record<string, string>>, { texts, language }: PageContext): Html {
  const done = texts.notices[query.done as NoticeCode];
  const { problem } = query;
  if (problem !== undefined) {
    // Anybody can write a URL, so only what a code can consist of is shown.
    const code = problem.replace(/[^a-z_]/g, "").slice(0, 40);
    return html`<p class="card care" role="alert">${texts.problems[code] ?? refusalText(code, language) ?? texts.otherProblem(code)}</p>`;
  }
  return html`${done !== undefined && html`<p class="card good" role="status">${done}</p>`}`;
}

function triesText({ attempts, readyAt }: StoredJob, context: PageContext): string {
  const { texts } = context;
  const parts: string[] = [];
  if (attempts > 0) parts.push(texts.lists.tries(attempts));
  if (readyAt !== null) parts.push(texts.payment.nextTry(timeIn(readyAt, context)));
  return parts.join(", ");
}
