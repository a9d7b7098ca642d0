import type { CircuitBreaker, PaymentState } from "@tillkit/core";
import type { LedgerCounts } from "../../metrics/ledger-counts.ts";
import { type Html, html } from "../../pages/html.ts";
import type { Stuck, StuckItem } from "../stuck.ts";
import type { DeliveryKind } from "../words/words.ts";
import type { OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";
import { badge, jobRow, outcome, paymentLink, timeText } from "./parts.ts";

export type Overview = {
  readonly counts: LedgerCounts;
  readonly stuck: Stuck;
  readonly down: readonly CircuitBreaker[];
  readonly query: Readonly<Record<string, string>>;
};

export function overviewPage({ counts, stuck, down, query }: Overview, look: Look): OperatorPage {
  const { words } = look;
  const body = html`<h1>${words.overview.heading}</h1>
${outcome(query, look)}
${down.length > 0 && html`<h2>${words.overview.down}</h2>${down.map((one) => html`<p class="card care">${downText(one, look)}</p>`)}`}
<h2>${words.overview.look}</h2>
${toLookAt(stuck, counts, look)}
<h2>${words.overview.byState}</h2>
<ul class="counts">${Object.entries(counts.payments).map(([state, count]) => countCell(`/payments?state=${state}`, words.states[state as PaymentState], count, ALARMING.has(state), look))}</ul>
<h2>${words.disputes.heading}</h2>
<ul class="counts">${countCell("/disputes", words.disputes.open(counts.disputes.open), counts.disputes.open, true, look)}${countCell("/disputes", words.disputes.over, counts.disputes.over, false, look)}</ul>
<h2>${words.overview.work}</h2>
<ul class="counts">${workCell(words.work.due, counts.jobs.due)}${workCell(words.work.waiting, counts.jobs.waiting)}${countCell("/dead", words.work.dead, counts.jobs.dead, true, look)}</ul>
<h2>${words.overview.webhooks}</h2>
<ul class="counts">${Object.entries(counts.deliveries).map(([kind, count]) => countCell(`/deliveries?outcome=${kind}`, words.deliveryKinds[kind as DeliveryKind], count, kind === "orphan", look))}</ul>`;
  return { title: words.overview.heading, body, here: "overview" };
}

const ALARMING: ReadonlySet<string> = new Set(["review", "duplicate"]);

function downText({ target, openUntil }: CircuitBreaker, { words, language }: Look): string {
  const [kind = "", ...rest] = target.split(":");
  const again = timeText(openUntil, language);
  const name = rest.join(":");
  return kind === "store" ? words.overview.storeDown(name, again) : words.overview.serviceDown(name, again);
}

function toLookAt(stuck: Stuck, counts: LedgerCounts, look: Look): Html {
  const { words, base } = look;
  const { items, jobs, failing } = stuck;
  const orphans = counts.deliveries.orphan;
  if (items.length + jobs.length + failing.length + orphans + counts.disputes.open === 0)
    return html`<p class="card good">${words.overview.nothing}</p>`;
  return html`${openDisputes(counts.disputes.open, look)}${items.map((item) => stuckCard(item, look))}
${jobs.length + failing.length > 0 && html`<ul class="rows">${[...jobs, ...failing].map((job) => jobRow(job, look))}</ul>`}
${counts.jobs.dead > jobs.length && html`<p class="pager"><a href="${base}/dead">${words.overview.all(counts.jobs.dead)}</a></p>`}
${orphans > 0 && html`<div class="card attention"><div class="row"><h3><a href="${base}/deliveries?outcome=orphan">${words.deliveryKinds.orphan} (${orphans})</a></h3></div><p>${words.deliveryHelp.orphan}</p><p>${words.advice.orphan}</p></div>`}`;
}

function openDisputes(count: number, { words, base }: Look): Html {
  if (count === 0) return html``;
  return html`<div class="card attention"><div class="row"><h3><a href="${base}/disputes">${words.disputes.open(count)}</a></h3></div>
<p>${words.disputes.look}</p></div>\n`;
}

function stuckCard({ payment, headline, reason, advice }: StuckItem, look: Look): Html {
  const { words } = look;
  return html`<div class="card attention"><div class="row"><h3><a href="${paymentLink(payment.id, look)}">${words.lists.order} ${payment.ref.orderId}</a></h3>
${badge(payment.state, look)}<span class="time">${payment.ref.storeId}</span></div>
<p>${headline}</p>
${reason !== null && html`<p><strong>${reason}</strong></p>`}
<p class="small">${words.advice[advice]}</p></div>\n`;
}

function countCell(path: string, name: string, count: number, isAlarm: boolean, { base }: Look): Html {
  const mood = count === 0 ? "zero" : isAlarm ? "alarm" : "";
  return html`<li><a class="${mood}" href="${base}${path}"><b>${count}</b>${name}</a></li>`;
}

function workCell(name: string, count: number): Html {
  return html`<li><span class="cell${count === 0 && " zero"}"><b>${count}</b>${name}</span></li>`;
}
