import {
  formatMoney,
  type Language,
  type Payment,
  type PaymentState,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import type { NoticeCode, OperatorWords } from "../words/words.ts";
import { formToken } from "./layout.ts";
import type { Look } from "./look.ts";

/** A time as people write it. Universal time: operators of one shop may sit in several countries. */
export function timeText(at: number, language: Language): string {
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(language === "fr" ? "fr-FR" : "en-GB", format).format(at)} UTC`;
}

export function time(at: number, { language }: Look): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${timeText(at, language)}</time>`;
}

const GOOD: readonly PaymentState[] = ["recorded", "verified"];
const CARE: readonly PaymentState[] = ["review", "duplicate"];

export function badge(state: PaymentState, { words }: Look): Html {
  const mood = GOOD.includes(state) ? "good" : CARE.includes(state) ? "care" : "calm";
  return html`<span class="badge ${mood}">${words.states[state]}</span>`;
}

export function paymentLink(paymentId: string, { base }: Look): string {
  return `${base}/payments/${encodeURIComponent(paymentId)}`;
}

/** The order's number leads to the payment. */
export function paymentRow(payment: Payment, look: Look): Html {
  const { ref, amountDue, state, createdAt, environment } = payment;
  return html`<li><div class="row"><a href="${paymentLink(payment.id, look)}">${look.words.lists.order} ${ref.orderId}</a>
<span class="amount">${formatMoney(amountDue, look.language)}</span>
${badge(state, look)}${environment === "test" && html` <span class="small">${look.words.payment.test}</span>`}
<span class="time">${time(createdAt, look)}</span></div>
<p class="small">${ref.storeId}</p></li>`;
}

export function jobRow(job: StoredJob, look: Look): Html {
  const { words } = look;
  return html`<li${job.readyAt === null && html` class="attention"`}><div class="row"><strong>${words.jobs[job.kind] ?? job.kind}</strong>
<span class="time">${triesText(job, look)}</span></div>
${job.readyAt === null && html`<p>${adviceFor(job, words)}</p>`}
${job.error !== null && html`<p class="small number">${job.error}</p>`}
<div class="actions">${job.readyAt === null && replayForm(job.id, look)}
${job.paymentId !== null && html`<a href="${paymentLink(job.paymentId, look)}">${words.payment.payment} ${job.paymentId}</a>`}</div></li>`;
}

function adviceFor({ error }: StoredJob, { advice }: OperatorWords): string {
  return error?.startsWith("reconnect") ? advice.reconnect : advice.given_up;
}

function replayForm(jobId: string, look: Look): Html {
  return html`<form action="${look.base}/jobs/${encodeURIComponent(jobId)}/replay" method="post">${formToken(look)}<button class="second">${look.words.decide.replay}</button></form>`;
}

export function deliveryRow(delivery: StoredDelivery, look: Look): Html {
  const { words } = look;
  const kind = delivery.outcome ?? "waiting";
  return html`<li><div class="row"><span class="badge ${kind === "orphan" ? "care" : "calm"}">${words.deliveryKinds[kind]}</span>
<span>${delivery.endpointId}</span>
<span class="small">${delivery.byteLength === 0 ? words.lists.pruned : words.lists.body(delivery.byteLength)}</span>
<span class="time">${time(delivery.receivedAt, look)}</span></div>
${delivery.paymentId !== null && html`<p><a href="${paymentLink(delivery.paymentId, look)}">${words.payment.payment} ${delivery.paymentId}</a></p>`}
<p class="small number">${delivery.digest.slice(0, 16)}…</p></li>`;
}

export function rows(items: readonly Html[], { words }: Look): Html {
  return items.length === 0 ? html`<p>${words.lists.empty}</p>` : html`<ul class="rows">${items}</ul>`;
}

/** `path`: of this list, with its filters. */
export function pager(path: string, { next, after }: { next: string | null; after: string | null }, look: Look): Html {
  const joint = path.includes("?") ? "&" : "?";
  const { more, first } = look.words.lists;
  if (next === null && after === null) return html``;
  return html`<p class="pager">${after !== null && html`<a href="${path}">${first}</a>`}${next !== null && html`<a href="${path}${joint}after=${encodeURIComponent(next)}">${more}</a>`}</p>`;
}

/** What came of the decision before: `done` and `problem` stand in the address. */
export function outcome(query: Readonly<Record<string, string>>, { words }: Look): Html {
  const done = words.notices[query.done as NoticeCode];
  const { problem } = query;
  if (problem !== undefined) {
    const code = problem.replace(/[^a-z_]/g, "").slice(0, 40);
    return html`<p class="card care" role="alert">${words.problems[code] ?? words.otherProblem(code)}</p>`;
  }
  return html`${done !== undefined && html`<p class="card good" role="status">${done}</p>`}`;
}

function triesText({ attempts, readyAt }: StoredJob, { words, language }: Look): string {
  const tries = attempts > 0 ? [words.lists.tries(attempts)] : [];
  return [...tries, ...(readyAt === null ? [] : [words.payment.nextTry(timeText(readyAt, language))])].join(", ");
}
