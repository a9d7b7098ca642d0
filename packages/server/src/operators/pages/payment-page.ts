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
import { timeText } from "../../pages/time-text.ts";
import { disputeCard } from "./dispute-rows.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, deliveryRow, jobRow, paymentRow, paymentUrl, stateBadge, time } from "./rows.ts";

export type PaymentDetails = {
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

/** One payment with everything known about it; the newest timeline entry is last. */
export function paymentPage(details: PaymentDetails, context: PageContext): OperatorPage {
  const { payment, explanation, refunds, disputes, now, jobs, deliveries, others } = details;
  const { texts } = context;
  const title = `${texts.lists.order} ${payment.ref.orderId}`;
  const body = html`<h1>${title}</h1>
<p>${stateBadge(payment.state, context)} ${payment.environment === "test" && html`<span class="badge">${texts.payment.test}</span>`}</p>
${decisionNotice(details.query, context)}
<p>${explanation.headline}</p>
${disputes.map((dispute) => disputeCard(dispute, now, context))}
${decision(payment, context)}
${section(texts.payment.timeline, timeline(explanation, context))}
${section(texts.payment.facts, facts(payment, context))}
${refunds.length > 0 && section(texts.payment.refunds, html`<ul class="rows">${refunds.map((refund) => refundRow(refund, context))}</ul>`)}
${jobs.length > 0 && section(texts.payment.work, html`<ul class="rows">${jobs.map((job) => jobRow({ ...job, paymentId: null }, context))}</ul>`)}
${deliveries.length > 0 && section(texts.payment.webhooks, html`<ul class="rows">${deliveries.map((delivery) => deliveryRow({ ...delivery, paymentId: null }, context))}</ul>`)}
${others.length > 0 && section(texts.payment.others, html`<ul class="rows">${others.map((other) => paymentRow(other, context))}</ul>`)}`;
  return { title, body, menuItem: null };
}

function section(heading: string, content: Html): Html {
  return html`<h2>${heading}</h2>${content}`;
}

function decision(payment: Payment, context: PageContext): Html {
  const { texts, language } = context;
  const { state, finding } = payment;
  if (state !== "review" && state !== "duplicate") return html``;
  const canBeAccepted = state === "review" && isAcceptable(finding);
  const advice = state === "duplicate" ? "duplicate" : canBeAccepted ? "acceptable" : "not_acceptable";
  const url = paymentUrl(payment.id, context);
  return html`<section class="card attention" aria-label="${texts.decide.heading}">
<h2>${texts.decide.heading}</h2>
${finding && html`<p><strong>${explainFinding(finding, language)}</strong></p>`}
<p>${texts.advice[advice]}</p>
<div class="actions">${canBeAccepted && html`<a class="button" href="${url}/accept">${texts.decide.acceptLink}</a>`}<a class="button second" href="${url}/refund">${texts.decide.refundLink}</a></div>
</section>`;
}

function timeline({ entries }: Explanation, context: PageContext): Html {
  return html`<ol class="timeline">${entries.map(({ at, actor, text }) => html`<li><p class="small">${time(at, context)} · ${actor}</p><p>${text}</p></li>\n`)}</ol>`;
}

function facts(payment: Payment, context: PageContext): Html {
  const { texts, language } = context;
  const { ref, amountDue, createdAt, environment, session, transactionId, waiver, id } = payment;
  const fact = (name: string, value: HtmlValue, kind = "") =>
    html`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>\n`;
  return html`<dl class="facts">
${fact(texts.payment.order, ref.orderId)}${fact(texts.payment.store, ref.storeId)}
${fact(texts.payment.amount, formatMoney(amountDue, language))}${fact(texts.payment.created, time(createdAt, context))}
${fact(texts.payment.environment, environment)}${fact(texts.payment.payment, id, "number")}
${fact(texts.payment.session, session?.id ?? texts.payment.unknown, "number")}${fact(texts.payment.transaction, transactionId ?? texts.payment.unknown, "number")}
${waiver && fact(texts.payment.waiver(waiver.by, timeText(waiver.at, language)), explainFinding(waiver.finding, language))}
</dl>`;
}

function refundRow({ amount, state, refundId }: Refund, { texts, language }: PageContext): Html {
  return html`<li><div class="row"><span class="amount">${formatMoney(amount, language)}</span>
<span class="badge ${state === "failed" ? "care" : "calm"}">${texts.payment.refundStates[state]}</span></div>
${refundId !== null && html`<p class="small number">${refundId}</p>`}</li>`;
}
