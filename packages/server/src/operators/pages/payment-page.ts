import { type Explanation, explainFinding, formatMoney, type Payment, type Refund, type Refusal } from "@tillkit/core";
import { isHeld, isOffered, mostRefundable, offerOf, refundSubjectOf, type View } from "@tillkit/core/back-office";
import {
  FINAL_STATES,
  isWaiting,
  type StoredDelivery,
  type StoredJob,
  type TransactionDetails,
} from "@tillkit/core/ledger";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { answerTexts } from "../texts/answer-texts.ts";
import { moneyTexts } from "../texts/money-texts.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import { refundTexts } from "../texts/refund-texts.ts";
import { disputeCard, disputeDecision } from "./dispute-rows.ts";
import type { OperatorPage } from "./layout.ts";
import { moneyTable, transactionRows } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { paymentFigures, paymentHeader } from "./payment-header.ts";
import { paymentTable } from "./payment-table.ts";
import { paymentTimeline } from "./payment-timeline.ts";
import { refundRow } from "./refunds-page.ts";
import { decisionNotice, jobRow, orderTitle, paymentUrl, timeIn } from "./rows.ts";

export type PaymentDetails = {
  readonly view: View;
  readonly explanation: Explanation;
  readonly details: TransactionDetails | null;
  readonly adminUrl: string | null;
  /** Who named each transaction by hand, by its id. */
  readonly namedBy: ReadonlyMap<string, string>;
  readonly now: number;
  readonly jobs: readonly StoredJob[];
  readonly deliveries: readonly StoredDelivery[];
  readonly others: readonly Payment[];
  readonly query: Readonly<Record<string, string>>;
};

/** One payment with everything known about it; the newest timeline entry is last. */
export function paymentPage(input: PaymentDetails, context: PageContext): OperatorPage {
  const { view, explanation, now, deliveries, others } = input;
  const { payment, sums } = view;
  const { refunds, disputes } = view.movements;
  const { texts } = context;
  const title = orderTitle(payment, context);
  const header = { ...input, payment, disputes, equation: sums[0] };
  const body = html`<h1>${title}</h1>
${paymentHeader(header, context)}
${decisionNotice(input.query, context, refusalWithSums(view, input.query))}
<div class="payment"><div class="act"><p>${explanation.headline}</p>
${disputes.map((dispute) => disputeCard(dispute, now, context, disputeDecision(dispute, context)))}
${refunds.filter(({ key }) => offerOf(view, "looked", key)?.why === null).map((refund) => doubtCard(refund, context))}
${decision(view, context)}
${refundLink(view, context)}
${pendingWork(input, context)}</div>
<div class="money">${paymentFigures(header, context)}
${moneySection(input, context)}
${refunds.length > 0 && section(texts.payment.refunds, html`<ul class="rows">${refunds.map((refund) => refundRow(refund, context))}</ul>`)}
</div>
<div class="past">${section(texts.payment.timeline, paymentTimeline(explanation, deliveries, context))}</div>
<div class="about">${section(texts.payment.facts, facts(input, context))}</div></div>
${others.length > 0 && section(texts.payment.others, paymentTable({ caption: texts.payment.others, payments: others }, context))}`;
  return { title, body, menuItem: "payments" };
}

// The URL names the problem only; its sums are those that the page shows.
function refusalWithSums(view: View, { problem, transaction }: Readonly<Record<string, string>>): Refusal | null {
  const equation = refundSubjectOf(view, transaction)?.equation ?? view.sums[0];
  switch (problem) {
    case "too_large":
      return { kind: problem, most: mostRefundable(equation) };
    case "over_dispute":
    case "nothing_left":
      return { kind: problem, equation };
    default:
      return null;
  }
}

function section(heading: string, content: Html): Html {
  return html`<h2>${heading}</h2>${content}`;
}

function decision({ payment, ...view }: View, context: PageContext): Html {
  const { texts, language, operator } = context;
  const { state, finding } = payment;
  if (!isHeld(payment)) return html``;
  const canBeAccepted = isOffered({ payment, ...view }, "accept");
  const adviceOnFinding = canBeAccepted ? "acceptable" : "not_acceptable";
  const advice = state === "duplicate" ? "duplicate" : adviceOnFinding;
  const url = paymentUrl(payment.id, context);
  return html`<section class="card attention" aria-label="${texts.decide.heading}">
<h2>${texts.decide.heading}</h2>
${finding && html`<p><strong>${explainFinding(finding, language, "operator")}</strong></p>`}
<p>${texts.advice[advice]}</p>
${operator.canDecide && html`<div class="actions">${canBeAccepted && html`<a class="button" href="${url}/accept">${texts.decide.acceptLink}</a>`}<a class="button${canBeAccepted && " second"}" href="${url}/refund">${texts.decide.refundLink}</a></div>`}
</section>`;
}

// A held payment is refunded from its decision card instead. There is no link once the whole amount is refunded or about to be. What is
// disputed may still be refunded, after a second confirmation.
function refundLink(view: View, context: PageContext): Html {
  const { payment } = view;
  if (isHeld(payment) || !context.operator.canDecide || offerOf(view, "refund")?.why !== null) return html``;
  const url = `${paymentUrl(payment.id, context)}/refund`;
  return html`<div class="actions"><a class="button second" href="${url}">${refundTexts[context.language].link}</a></div>`;
}

/** Where the money is, and which transactions brought it. */
function moneySection({ view, namedBy }: PaymentDetails, context: PageContext): Html {
  const texts = moneyTexts[context.language];
  const { payment, sums: equations, sum } = view;
  const { transactions } = view.movements;
  const table = moneyTable(sum, context);
  if (sum.received.minor === 0 && transactions.length === 0) return table;
  const canBeNamed = isOffered(view, "nameTransaction");
  const url = `${paymentUrl(payment.id, context)}/transaction`;
  return html`${section(texts.heading, table)}
${transactions.length > 0 && section(texts.transactions, transactionRows({ paymentId: payment.id, transactions, equations, namedBy }, context))}
${canBeNamed && html`<p class="small">${texts.notNamed}${context.operator.canDecide && html` <a href="${url}">${texts.nameLink}</a>`}</p>`}`;
}

/** A refund that the service has not answered: only a person who looked in its dashboard can end it. */
function doubtCard({ key, amount, paymentId }: Refund, context: PageContext): Html {
  const texts = answerTexts[context.language].refund;
  const url = `${paymentUrl(paymentId, context)}/refund/result?key=${encodeURIComponent(key)}`;
  return html`<section class="card attention" aria-label="${texts.heading}">
<h2>${texts.heading}</h2>
<p>${texts.lead(formatMoney(amount, context.language))}</p>
${context.operator.canDecide && html`<div class="actions"><a class="button second" href="${url}">${texts.link}</a></div>`}
</section>`;
}

/**
 * What the engine will do next, in words. A finished payment shows only work that failed or that a person must retry: its other jobs
 * find nothing to do.
 */
function pendingWork({ view: { payment }, jobs, now }: PaymentDetails, context: PageContext): Html {
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
${failed.length > 0 && html`<ul class="rows">${failed.map((job) => jobRow({ ...job, paymentId: null, orderNumber: null, environment: null }, context))}</ul>`}`,
  );
}

function facts({ view: { payment, movements }, details }: PaymentDetails, context: PageContext): Html {
  const { texts, language } = context;
  const { ref, session, transactionId, waiver, id } = payment;
  const fact = (name: string, value: HtmlValue, kind = "") =>
    html`<div><dt>${name}</dt><dd class="${kind}">${value}</dd></div>\n`;
  // The newest event may be about a further transaction of the session.
  const paying = movements.transactions.find(({ id: known }) => known === transactionId);
  const transactionCode = paying?.code ?? (movements.transactions.length > 1 ? null : details?.transactionCode);
  const sessionCode = /\/(cs_\w+)$/.exec(session?.url ?? "")?.[1];
  const ids = (...values: readonly (string | null | undefined)[]) => values.filter(Boolean).join(" · ");
  return html`<dl class="facts">
${fact(texts.payment.order, ids(payment.orderNumber, ref.orderId === payment.orderNumber ? null : ref.orderId))}
${fact(texts.payment.payment, id, "number")}
${fact(texts.payment.session, ids(session?.id, sessionCode) || texts.payment.unknown, "number")}${fact(texts.payment.transaction, ids(transactionId, transactionCode) || texts.payment.unknown, "number")}
${waiver && fact(texts.payment.waiver(waiver.by, timeIn(waiver.at, context)), explainFinding(waiver.finding, language, "operator"))}
</dl>`;
}
