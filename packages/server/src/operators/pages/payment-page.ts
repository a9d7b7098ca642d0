import {
  type Dispute,
  type Explanation,
  explainFinding,
  formatMoney,
  isAcceptable,
  type Payment,
  type Refund,
  type StoredDelivery,
  type StoredJob,
} from "@tillkit/core";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { disputeCard } from "./dispute-parts.ts";
import type { OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";
import { badge, deliveryRow, jobRow, outcome, paymentLink, paymentRow, time, timeText } from "./parts.ts";

export type PaymentDossier = {
  readonly payment: Payment;
  readonly explanation: Explanation;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly now: number;
  readonly jobs: readonly StoredJob[];
  readonly deliveries: readonly StoredDelivery[];
  readonly others: readonly Payment[];
  readonly query: Readonly<Record<string, string>>;
};

/** One payment with all that is known about it, newest line of its story last. */
export function paymentPage(dossier: PaymentDossier, look: Look): OperatorPage {
  const { payment, explanation, refunds, disputes, now, jobs, deliveries, others } = dossier;
  const { words } = look;
  const title = `${words.lists.order} ${payment.ref.orderId}`;
  const body = html`<h1>${title}</h1>
<p>${badge(payment.state, look)} ${payment.environment === "test" && html`<span class="badge">${words.payment.test}</span>`}</p>
${outcome(dossier.query, look)}
<p>${explanation.headline}</p>
${disputes.map((dispute) => disputeCard(dispute, now, look))}
${decision(payment, look)}
${part(words.payment.story, story(explanation, look))}
${part(words.payment.facts, facts(payment, look))}
${refunds.length > 0 && part(words.payment.refunds, html`<ul class="rows">${refunds.map((refund) => refundRow(refund, look))}</ul>`)}
${jobs.length > 0 && part(words.payment.work, html`<ul class="rows">${jobs.map((job) => jobRow({ ...job, paymentId: null }, look))}</ul>`)}
${deliveries.length > 0 && part(words.payment.webhooks, html`<ul class="rows">${deliveries.map((delivery) => deliveryRow({ ...delivery, paymentId: null }, look))}</ul>`)}
${others.length > 0 && part(words.payment.others, html`<ul class="rows">${others.map((other) => paymentRow(other, look))}</ul>`)}`;
  return { title, body, here: null };
}

function part(heading: string, content: Html): Html {
  return html`<h2>${heading}</h2>${content}`;
}

function decision(payment: Payment, look: Look): Html {
  const { words, language } = look;
  const { state, finding } = payment;
  if (state !== "review" && state !== "duplicate") return html``;
  const canBeAccepted = state === "review" && isAcceptable(finding);
  const advice = state === "duplicate" ? "duplicate" : canBeAccepted ? "acceptable" : "not_acceptable";
  const here = paymentLink(payment.id, look);
  return html`<section class="card attention" aria-label="${words.decide.heading}">
<h2>${words.decide.heading}</h2>
${finding && html`<p><strong>${explainFinding(finding, language)}</strong></p>`}
<p>${words.advice[advice]}</p>
<div class="actions">${canBeAccepted && html`<a class="button" href="${here}/accept">${words.decide.acceptLink}</a>`}<a class="button second" href="${here}/refund">${words.decide.refundLink}</a></div>
</section>`;
}

function story({ entries }: Explanation, look: Look): Html {
  return html`<ol class="story">${entries.map(({ at, actor, text }) => html`<li><p class="small">${time(at, look)} · ${actor}</p><p>${text}</p></li>\n`)}</ol>`;
}

function facts(payment: Payment, look: Look): Html {
  const { words, language } = look;
  const { ref, amountDue, createdAt, environment, session, transactionId, waiver, id } = payment;
  const fact = (name: string, value: HtmlValue, kind = "") =>
    html`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>\n`;
  return html`<dl class="facts">
${fact(words.payment.order, ref.orderId)}${fact(words.payment.store, ref.storeId)}
${fact(words.payment.amount, formatMoney(amountDue, language))}${fact(words.payment.created, time(createdAt, look))}
${fact(words.payment.environment, environment)}${fact(words.payment.payment, id, "number")}
${fact(words.payment.session, session?.id ?? words.payment.unknown, "number")}${fact(words.payment.transaction, transactionId ?? words.payment.unknown, "number")}
${waiver && fact(words.payment.waiver(waiver.by, timeText(waiver.at, language)), explainFinding(waiver.finding, language))}
</dl>`;
}

function refundRow({ amount, state, refundId }: Refund, { words, language }: Look): Html {
  return html`<li><div class="row"><span class="amount">${formatMoney(amount, language)}</span>
<span class="badge ${state === "failed" ? "care" : "calm"}">${words.payment.refundStates[state]}</span></div>
${refundId !== null && html`<p class="small number">${refundId}</p>`}</li>`;
}
