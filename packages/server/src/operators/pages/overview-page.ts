import type { Dispute } from "@tillkit/core";
import type { CircuitBreaker, FoundCopy, StoreBlockOf } from "@tillkit/core/hosts";
import type { NeedsAttention, StuckPayment } from "../../attention/needs-attention.ts";
import { warningTexts } from "../../attention/warning-texts.ts";
import { type Warning, warningText } from "../../attention/warnings.ts";
import { type Html, html } from "../../pages/html.ts";
import type { AdviceCode } from "../texts/operator-texts.ts";
import { breakerCards } from "./breaker-cards.ts";
import type { Figures } from "./figures.ts";
import { formTokenField, hiddenFields } from "./form-fields.ts";
import type { OperatorPage } from "./layout.ts";
import { overviewFigures } from "./overview-figures.ts";
import type { PageContext } from "./page-context.ts";
import { decisionNotice, jobRow, orderTitle, paymentUrl, type ShownJob, stateBadge, timeIn } from "./rows.ts";

/** How many there are, also of those that the lists leave out. `held`: held and duplicate payments; `dead`: dead-letter jobs. */
export type Waiting = {
  readonly held: number;
  readonly disputes: number;
  readonly dead: number;
  readonly orphans: number;
};

export type Overview = {
  readonly stuck: Omit<NeedsAttention, "jobs" | "failing">;
  readonly warnings: readonly Warning[];
  readonly jobs: readonly ShownJob[];
  readonly failing: readonly ShownJob[];
  readonly figures: Figures;
  readonly storeIds: readonly string[];
  readonly openBreakers: readonly CircuitBreaker[];
  readonly refusing: readonly StoreBlockOf[];
  /** The open disputes, or the newest of many. */
  readonly openDisputes: readonly Dispute[];
  readonly waiting: Waiting;
  readonly query: Readonly<Record<string, string>>;
};

export function overviewPage(overview: Overview, context: PageContext): OperatorPage {
  const { openBreakers, refusing, query } = overview;
  const { texts } = context;
  const body = html`<h1>${texts.overview.heading}</h1>
${decisionNotice(query, context)}
${breakerCards(openBreakers, refusing, context)}
<div class="overview"><div>${overviewFigures({ ...overview, waiting: waitingCount(overview) }, context)}</div>
<div><h2 id="attention">${texts.overview.attention}</h2>
${attentionList(overview, context)}</div></div>`;
  return { title: texts.overview.heading, body, menuItem: "overview" };
}

/** How many things need a person: what is counted, and what only the list knows. */
function waitingCount({ stuck, warnings, failing, waiting }: Overview): number {
  const counted = waiting.held + waiting.disputes + waiting.dead + waiting.orphans;
  const uncounted = stuck.payments.filter(({ advice }) => !ADVICE_OF_COUNTED.has(advice));
  return counted + uncounted.length + warnings.length + failing.length;
}

/** What is said of held and duplicate payments, which are counted. */
const ADVICE_OF_COUNTED: ReadonlySet<AdviceCode> = new Set(["acceptable", "not_acceptable", "duplicate"]);

/** How many items that need attention are shown without a click: payments, and jobs. */
const MAX_UNFOLDED = 2;

function attentionList(overview: Overview, context: PageContext): Html {
  const { stuck, warnings, jobs, failing, openDisputes } = overview;
  const { orphans, disputes, dead } = overview.waiting;
  const { texts, base } = context;
  const { payments } = stuck;
  if (payments.length + warnings.length + jobs.length + failing.length + orphans + disputes === 0)
    return html`<p class="card good">${texts.overview.nothing}</p>`;
  const list = (shown: readonly ShownJob[]) =>
    shown.length > 0 && html`<ul class="rows">${shown.map((job) => jobRow(job, context))}</ul>`;
  return html`${warnings.map((warning) => warningCard(warning, context))}${disputesCard(disputes, openDisputes, context)}${fold(payments, (shown) => html`${shown.map((item) => stuckCard(item, context))}`, context)}
${fold([...jobs, ...failing], (shown) => html`${list(shown)}`, context)}
${dead > jobs.length && html`<p class="pager"><a href="${base}/dead">${texts.overview.all(dead)}</a></p>`}
${orphans > 0 && html`<div class="card attention"><div class="row"><h3><a href="${base}/deliveries?outcome=orphan">${texts.deliveryKinds.orphan} (${orphans})</a></h3></div><p>${texts.deliveryHelp.orphan}</p><p>${texts.advice.orphan}</p></div>`}`;
}

/** Shows the first items; a click opens the other items, so that many problems do not push the figures off the page. */
function fold<Item>(items: readonly Item[], show: (items: readonly Item[]) => Html, { texts }: PageContext): Html {
  const others = items.slice(MAX_UNFOLDED);
  // One more item takes no more room than the line that would open it.
  if (others.length < 2) return show(items);
  return html`${show(items.slice(0, MAX_UNFOLDED))}<details class="fold"><summary>${texts.overview.others(others.length)}</summary>${show(others)}</details>\n`;
}

function warningCard(warning: Warning, context: PageContext): Html {
  const { language, base } = context;
  const { heading, copyHeading } = warningTexts[language];
  if (warning.code === "copy") {
    return html`<div class="card attention"><div class="row"><h3>${copyHeading}</h3></div><p>${warningText(warning, language)}</p>${copyForm(warning, context)}</div>\n`;
  }
  const title = warning.code === "webhooks_refused" ? html`<a href="${base}/endpoints">${heading}</a>` : heading;
  return html`<div class="card attention"><div class="row"><h3>${title}</h3></div><p>${warningText(warning, language)}</p></div>\n`;
}

function copyForm({ storeId, address }: FoundCopy, context: PageContext): Html {
  const { moved, isCopy } = warningTexts[context.language];
  if (!context.operator.canDecide) return html``;
  return html`<form action="${context.base}/installations" method="post">${formTokenField(context)}${hiddenFields({ storeId, address })}
<div class="actions"><button name="answer" value="moved">${moved}</button><button class="second" name="answer" value="copy">${isCopy}</button></div></form>`;
}

/** The open disputes, with the deadline that comes first. */
function disputesCard(count: number, disputes: readonly Dispute[], context: PageContext): Html {
  const { texts, base, now } = context;
  if (count === 0) return html``;
  const deadlines = disputes.flatMap(({ evidenceDueBy }) => evidenceDueBy ?? []).filter((at) => at > now);
  return html`<div class="card attention"><div class="row"><h3><a href="${base}/disputes">${texts.disputes.open(count)}</a></h3></div>
${deadlines.length > 0 && html`<p><strong>${texts.disputes.dueBy(timeIn(Math.min(...deadlines), context))}</strong></p>`}
<p>${texts.disputes.answer}</p></div>\n`;
}

function stuckCard({ payment, headline, reason, advice }: StuckPayment, context: PageContext): Html {
  const { texts } = context;
  return html`<div class="card attention"><div class="row"><h3><a href="${paymentUrl(payment.id, context)}">${orderTitle(payment, context)}</a></h3>
${stateBadge(payment.state, context)}<span class="small">${payment.ref.storeId}</span></div>
<p>${headline}</p>
${reason !== null && html`<p><strong>${reason}</strong></p>`}
<p class="small">${texts.advice[advice]}</p></div>\n`;
}
