import {
  type Dispute,
  type Explanation,
  explainFinding,
  FINAL_STATES,
  isAcceptable,
  isWaiting,
  type Payment,
  type Refund,
  refundableAmount,
  type StoredDelivery,
  type StoredJob,
  type TransactionDetails,
} from "@tillkit/core";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import { refundTexts } from "../texts/refund-texts.ts";
import { disputeCard } from "./dispute-rows.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { paymentHeader } from "./payment-header.ts";
import { paymentTimeline } from "./payment-timeline.ts";
import { refundRow } from "./refunds-page.ts";
import { decisionNotice, jobRow, orderTitle, paymentRow, paymentUrl, time, timeIn } from "./rows.ts";

export type PaymentDetails = {
  readonly payment: Payment;
  readonly explanation: Explanation;
  readonly details: TransactionDetails | null;
  readonly adminUrl: string | null;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
  readonly now: number;
  readonly jobs: readonly StoredJob[];
  readonly deliveries: readonly StoredDelivery[];
  readonly others: readonly Payment[];
  readonly query: Readonly<Record<string, string>>;
};

/** One payment with everything known about it; the newest timeline entry is last. */
export function paymentPage(input: PaymentDetails, context: PageContext): OperatorPage {
  const { payment, explanation, refunds, disputes, now, deliveries, others } = input;
  const { texts } = context;
  const title = orderTitle(payment, context);
  const body = html`<h1>${title}</h1>
${paymentHeader(input, context)}
${decisionNotice(input.query, context)}
<p>${explanation.headline}</p>
${disputes.map((dispute) => disputeCard(dispute, now, context))}
${decision(payment, context)}
${refundLink(payment, refunds, context)}
${pendingWork(input, context)}
${section(texts.payment.timeline, paymentTimeline(explanation, deliveries, context))}
${refunds.length > 0 && section(texts.payment.refunds, html`<ul class="rows">${refunds.map((refund) => refundRow(refund, null, context))}</ul>`)}
${section(texts.payment.facts, facts(payment, input.details, context))}
${others.length > 0 && section(texts.payment.others, html`<ul class="rows">${others.map((other) => paymentRow(other, context))}</ul>`)}`;
  return { title, body, menuItem: null };
}

function section(heading: string, content: Html): Html {
  return html`<h2>${heading}</h2>${content}`;
}

function decision(payment: Payment, context: PageContext): Html {
  const { texts, language, operator } = context;
  const { state, finding } = payment;
  if (state !== "review" && state !== "duplicate") return html``;
  const canBeAccepted = state === "review" && isAcceptable(finding);
  const adviceOnFinding = canBeAccepted ? "acceptable" : "not_acceptable";
  const advice = state === "duplicate" ? "duplicate" : adviceOnFinding;
  const url = paymentUrl(payment.id, context);
  return html`<section class="card attention" aria-label="${texts.decide.heading}">
<h2>${texts.decide.heading}</h2>
${finding && html`<p><strong>${explainFinding(finding, language)}</strong></p>`}
<p>${texts.advice[advice]}</p>
${operator.canDecide && html`<div class="actions">${canBeAccepted && html`<a class="button" href="${url}/accept">${texts.decide.acceptLink}</a>`}<a class="button second" href="${url}/refund">${texts.decide.refundLink}</a></div>`}
</section>`;
}

// A held payment is refunded from its decision card instead. There is no link once the whole amount is refunded or about to be.
function refundLink(payment: Payment, refunds: readonly Refund[], context: PageContext): Html {
  const isPaid = payment.state === "recorded" || payment.state === "verified";
  if (!isPaid || !context.operator.canDecide || refundableAmount(payment, refunds).minor <= 0) return html``;
  const url = `${paymentUrl(payment.id, context)}/refund`;
  return html`<div class="actions"><a class="button second" href="${url}">${refundTexts[context.language].link}</a></div>`;
}

/**
 * What the engine will do next, in words. A finished payment shows only work that failed or that a person must retry: its other jobs
 * find nothing to do.
 */
function pendingWork({ payment, jobs, now }: PaymentDetails, context: PageContext): Html {
  const needsPerson = (job: StoredJob) => job.readyAt === null || (job.error !== null && !isWaiting(job.error));
  const failed = jobs.filter(needsPerson);
  const planned = FINAL_STATES.has(payment.state) ? [] : jobs.filter((job) => !needsPerson(job));
  if (failed.length + planned.length === 0) return html``;
  const pageTexts = paymentTexts[context.language];
  const items = planned.map(({ kind, readyAt }) => {
    const when = (readyAt ?? 0) <= now ? pageTexts.now : pageTexts.nextAt(timeIn(readyAt ?? 0, context));
    return html`<li>${context.texts.jobs[kind] ?? kind}, ${when}</li>`;
  });
  return section(
    pageTexts.next,
    html`${items.length > 0 && html`<ul class="card plain-list">${items}</ul>`}
${failed.length > 0 && html`<ul class="rows">${failed.map((job) => jobRow({ ...job, paymentId: null, orderNumber: null }, context))}</ul>`}`,
  );
}

function facts(payment: Payment, details: TransactionDetails | null, context: PageContext): Html {
  const { texts, language } = context;
  const { ref, createdAt, session, transactionId, waiver, id } = payment;
  const fact = (name: string, value: HtmlValue, kind = "") =>
    html`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>\n`;
  const sessionCode = /\/(cs_\w+)$/.exec(session?.url ?? "")?.[1];
  const ids = (...values: readonly (string | null | undefined)[]) => values.filter(Boolean).join(" · ");
  return html`<dl class="facts">
${fact(texts.payment.order, ids(payment.orderNumber, ref.orderId === payment.orderNumber ? null : ref.orderId))}${fact(texts.payment.created, time(createdAt, context))}
${fact(texts.payment.payment, id, "number")}
${fact(texts.payment.session, ids(session?.id, sessionCode) || texts.payment.unknown, "number")}${fact(texts.payment.transaction, ids(transactionId, details?.transactionCode) || texts.payment.unknown, "number")}
${waiver && fact(texts.payment.waiver(waiver.by, timeIn(waiver.at, context)), explainFinding(waiver.finding, language))}
</dl>`;
}
