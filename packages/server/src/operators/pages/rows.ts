import {
  type Environment,
  explainRefusal,
  type Payment,
  type PaymentState,
  type Refusal,
  refusalText,
} from "@tillkit/core";
import { isDoneByHand } from "@tillkit/core/back-office";
import { formatJobError, type StoredDelivery, type StoredJob } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { timeText } from "../../pages/time-text.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import type { NoticeCode } from "../texts/operator-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import { formTokenField } from "./form-fields.ts";
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

/** What people call the payment that a row is about; null for a row without a payment in the ledger. */
export type OfOrder = { readonly orderNumber: string | null; readonly environment: Environment | null };

export type ShownJob = StoredJob & OfOrder;

/**
 * The order that it is about comes first, as on all cards: people look for an order, not for a kind of job. Jobs of both modes are in one list,
 * and a job of the other mode is marked: its link leads into that mode.
 */
export function jobRow(job: ShownJob, context: PageContext): Html {
  const { texts } = context;
  const name = texts.jobs[job.kind] ?? job.kind;
  const subject =
    job.orderNumber === null ? `${texts.payment.payment} ${job.paymentId}` : `${texts.lists.order} ${job.orderNumber}`;
  const heading =
    job.paymentId === null
      ? html`<strong>${name}</strong>`
      : html`<strong><a href="${paymentUrl(job.paymentId, context)}">${subject}</a></strong>`;
  const progress = [...(job.paymentId === null ? [] : [name]), ...triesTexts(job, context)];
  return html`<li${job.readyAt === null && html` class="attention"`}><div class="row">${heading}
${job.environment !== null && job.environment !== context.mode && html`<span class="badge">${frameTexts[context.language].modes[job.environment]}</span>`}
${job.storeId !== null && html`<span class="small">${job.storeId}</span>`}</div>
${progress.length > 0 && html`<p class="small">${progress.join(" · ")}</p>`}
${job.readyAt === null && html`<p>${adviceFor(job, context)} <span class="small">${workTexts[context.language].dueSince(timeIn(job.dueAt, context))}</span></p>`}
${job.error !== null && html`<details><summary class="small">${workTexts[context.language].rawError}</summary><p class="small number">${formatJobError(job.error)}</p></details>`}
${job.readyAt === null && canRetry(context) && html`<div class="actions">${jobForm(job, context)}</div>`}</li>`;
}

/** Jobs are the server's, so the owner of one shop sees why one stopped, and its operator retries it. */
function canRetry({ operator }: PageContext): boolean {
  return operator.canDecide && operator.storeId === null;
}

function adviceFor({ error }: StoredJob, { operator, texts: { advice } }: PageContext): string {
  if (operator.storeId !== null) return advice.ask_host;
  if (isDoneByHand(error)) return advice.by_hand;
  if (error?.code === "owner") return advice.owner;
  return error?.code === "reconnect" ? advice.reconnect : advice.stopped;
}

function jobForm({ id, error }: StoredJob, context: PageContext): Html {
  const { decide } = context.texts;
  const [path, label] = isDoneByHand(error) ? ["recorded", decide.recordedByHand] : ["retry", decide.retry];
  return html`<form action="${context.base}/jobs/${encodeURIComponent(id)}/${path}" method="post">${formTokenField(context)}<button class="second">${label}</button></form>`;
}

export function deliveryUrl({ endpointId, digest }: StoredDelivery, { base }: PageContext): string {
  return `${base}/deliveries/${encodeURIComponent(endpointId)}/${encodeURIComponent(digest)}`;
}

/** An event in words, with the service's own name. */
export function eventName(event: string, { language }: PageContext): Html {
  return html`${workTexts[language].events[event]} <code>${event}</code>`;
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

/** The result of the operator's last decision, which the URL names as `done` or `problem`. `refusal`: the problem with its sums. */
export function decisionNotice(
  query: Readonly<Record<string, string>>,
  { texts, language }: PageContext,
  refusal: Refusal | null = null,
): Html {
  const done = texts.notices[query.done as NoticeCode];
  const { problem } = query;
  if (refusal !== null) return html`<p class="card care" role="alert">${explainRefusal(refusal, language)}</p>`;
  if (problem !== undefined) {
    // Anybody can write a URL, so only what a code can consist of is shown.
    const code = problem.replace(/[^a-z_]/g, "").slice(0, 40);
    return html`<p class="card care" role="alert">${texts.problems[code] ?? refusalText(code, language) ?? texts.otherProblem(code)}</p>`;
  }
  return html`${done !== undefined && html`<p class="card good" role="status">${done}</p>`}`;
}

function triesTexts({ attempts, readyAt }: StoredJob, context: PageContext): readonly string[] {
  const { texts, now } = context;
  return [
    ...(attempts > 0 ? [texts.lists.tries(attempts)] : []),
    ...(readyAt === null ? [] : [texts.payment.nextTry(readyAt <= now ? null : timeIn(readyAt, context))]),
  ];
}
