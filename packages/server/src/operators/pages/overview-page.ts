import type { CircuitBreaker, PaymentState } from "@tillkit/core";
import type { NeedsAttention, StuckPayment } from "../../attention/needs-attention.ts";
import type { LedgerCounts } from "../../observability/ledger-counts.ts";
import { type Html, html } from "../../pages/html.ts";
import type { DeliveryKind } from "../texts/operator-texts.ts";
import { countText } from "./count-text.ts";
import type { Figures } from "./figures.ts";
import type { OperatorPage } from "./layout.ts";
import { overviewFigures } from "./overview-figures.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, jobRow, orderTitle, paymentUrl, type ShownJob, stateBadge, timeIn } from "./rows.ts";

export type Overview = {
  readonly counts: LedgerCounts;
  readonly stuck: Omit<NeedsAttention, "jobs" | "failing">;
  readonly jobs: readonly ShownJob[];
  readonly failing: readonly ShownJob[];
  readonly figures: Figures;
  readonly storeIds: readonly string[];
  readonly openBreakers: readonly CircuitBreaker[];
  readonly query: Readonly<Record<string, string>>;
};

export function overviewPage(overview: Overview, context: PageContext): OperatorPage {
  const { counts, figures, storeIds, openBreakers, query } = overview;
  const { texts } = context;
  const body = html`<h1>${texts.overview.heading}</h1>
${decisionNotice(query, context)}
${openBreakers.length > 0 && html`<h2>${texts.overview.down}</h2>${openBreakers.map((breaker) => html`<p class="card care">${downText(breaker, context)}</p>`)}`}
<h2>${texts.overview.attention}</h2>
${attentionList(overview, context)}
${overviewFigures(figures, storeIds, countText(counts.payments.review, context), context)}
<h2>${texts.overview.byState}</h2>
<ul class="counts">${Object.entries(counts.payments).map(([state, count]) => countCell(`/payments?state=${state}`, texts.states[state as PaymentState], count, ALARMING.has(state), context))}</ul>
<h2>${texts.disputes.heading}</h2>
<ul class="counts">${countCell("/disputes", texts.disputes.kinds.pending, counts.disputes.open, true, context)}${countCell("/disputes", texts.disputes.over, counts.disputes.over, false, context)}</ul>
<h2>${texts.overview.work}</h2>
<ul class="counts">${workCell(texts.work.due, counts.jobs.due)}${workCell(texts.work.waiting, counts.jobs.waiting)}${countCell("/dead", texts.work.dead, counts.jobs.dead, true, context)}</ul>
<h2>${texts.overview.webhooks}</h2>
<ul class="counts">${Object.entries(counts.deliveries).map(([kind, count]) => countCell(`/deliveries?outcome=${kind}`, texts.deliveryKinds[kind as DeliveryKind], count, kind === "orphan", context))}</ul>`;
  return { title: texts.overview.heading, body, menuItem: "overview" };
}

/** How many items that need attention are shown without a click: payments, and jobs. */
const MAX_UNFOLDED = 2;

const ALARMING: ReadonlySet<string> = new Set(["review", "duplicate"]);

function downText({ target, openUntil }: CircuitBreaker, context: PageContext): string {
  const { texts } = context;
  // `store:` or `credential:`, then an id that may contain colons.
  const [kind = "", ...rest] = target.split(":");
  const nextAttempt = timeIn(openUntil, context);
  const name = rest.join(":");
  return kind === "store" ? texts.overview.storeDown(name, nextAttempt) : texts.overview.serviceDown(name, nextAttempt);
}

function attentionList({ stuck, jobs, failing, counts }: Overview, context: PageContext): Html {
  const { texts, base } = context;
  const { payments } = stuck;
  const orphans = counts.deliveries.orphan;
  if (payments.length + jobs.length + failing.length + orphans + counts.disputes.open === 0)
    return html`<p class="card good">${texts.overview.nothing}</p>`;
  const list = (shown: readonly ShownJob[]) =>
    shown.length > 0 && html`<ul class="rows">${shown.map((job) => jobRow(job, context))}</ul>`;
  return html`${openDisputes(counts.disputes.open, context)}${fold(payments, (shown) => html`${shown.map((item) => stuckCard(item, context))}`, context)}
${fold([...jobs, ...failing], (shown) => html`${list(shown)}`, context)}
${counts.jobs.dead > jobs.length && html`<p class="pager"><a href="${base}/dead">${texts.overview.all(counts.jobs.dead)}</a></p>`}
${orphans > 0 && html`<div class="card attention"><div class="row"><h3><a href="${base}/deliveries?outcome=orphan">${texts.deliveryKinds.orphan} (${orphans})</a></h3></div><p>${texts.deliveryHelp.orphan}</p><p>${texts.advice.orphan}</p></div>`}`;
}

/** Shows the first items; a click opens the other items, so that many problems do not push the figures off the page. */
function fold<Item>(items: readonly Item[], show: (items: readonly Item[]) => Html, { texts }: PageContext): Html {
  const others = items.slice(MAX_UNFOLDED);
  // One more item takes no more room than the line that would open it.
  if (others.length < 2) return show(items);
  return html`${show(items.slice(0, MAX_UNFOLDED))}<details class="fold"><summary>${texts.overview.others(others.length)}</summary>${show(others)}</details>\n`;
}

function openDisputes(count: number, { texts, base }: PageContext): Html {
  if (count === 0) return html``;
  return html`<div class="card attention"><div class="row"><h3><a href="${base}/disputes">${texts.disputes.open(count)}</a></h3></div>
<p>${texts.disputes.answer}</p></div>\n`;
}

function stuckCard({ payment, headline, reason, advice }: StuckPayment, context: PageContext): Html {
  const { texts } = context;
  return html`<div class="card attention"><div class="row"><h3><a href="${paymentUrl(payment.id, context)}">${orderTitle(payment, context)}</a></h3>
${stateBadge(payment.state, context)}<span class="time">${payment.ref.storeId}</span></div>
<p>${headline}</p>
${reason !== null && html`<p><strong>${reason}</strong></p>`}
<p class="small">${texts.advice[advice]}</p></div>\n`;
}

function countCell(path: string, name: string, count: number, isAlarm: boolean, context: PageContext): Html {
  const nonZero = isAlarm ? "alarm" : "";
  return html`<li><a class="${count === 0 ? "zero" : nonZero}" href="${context.base}${path}"><b>${countText(count, context)}</b>${name}</a></li>`;
}

function workCell(name: string, count: number): Html {
  return html`<li><span class="cell${count === 0 && " zero"}"><b>${count}</b>${name}</span></li>`;
}
