import type { CircuitBreaker, StoreBlockOf } from "@tillkit/core/hosts";
import { type Html, html } from "../../pages/html.ts";
import { figureTexts } from "../texts/figure-texts.ts";
import { frameTexts } from "../texts/frame-texts.ts";
import type { DeliveryKind } from "../texts/operator-texts.ts";
import { breakerCards } from "./breaker-cards.ts";
import { countText } from "./count-text.ts";
import { delayTile } from "./delay-tile.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext, TechnicalItem } from "./page-context.ts";
import { jobRow, type ShownJob } from "./rows.ts";

type Technical = {
  readonly failing: readonly ShownJob[];
  readonly orderDelaysMs: readonly number[];
  readonly webhookDelaysMs: readonly number[];
  readonly openBreakers: readonly CircuitBreaker[];
  readonly refusing: readonly StoreBlockOf[];
};

/** What concerns the machine rather than the money: jobs, webhooks and delays. */
export function technicalPage(shown: Technical, context: PageContext): OperatorPage {
  const { texts, language, counts } = context;
  const title = frameTexts[language].technical;
  const figures = figureTexts[language];
  const body = html`<h1>${title}</h1>
${technicalTabs("status", context)}
${breakerCards(shown.openBreakers, shown.refusing, context)}
<dl class="tiles">${delayTile(figures.toOrder, shown.orderDelaysMs, figures.toOrderHint, context)}${delayTile(figures.webhookDelay, shown.webhookDelaysMs, figures.webhookHint, context)}</dl>
${
  counts !== null &&
  html`<h2>${texts.overview.work}</h2>
<ul class="counts">${workCell(texts.work.due, counts.jobs.due, context)}${workCell(texts.work.waiting, counts.jobs.waiting, context)}${countCell("/dead", texts.work.dead, counts.jobs.dead, true, context)}</ul>
<h2>${texts.overview.webhooks}</h2>
<ul class="counts">${Object.entries(counts.deliveries).map(([kind, count]) => countCell(`/deliveries?outcome=${kind}`, texts.deliveryKinds[kind as DeliveryKind], count, kind === "orphan", context))}</ul>`
}
${shown.failing.length > 0 && html`<h2>${figures.failing}</h2><ul class="rows">${shown.failing.map((job) => jobRow(job, context))}</ul>`}`;
  return { title, body, menuItem: "technical" };
}

const PATHS: Readonly<Record<TechnicalItem, string>> = {
  status: "/technical",
  deliveries: "/deliveries",
  endpoints: "/endpoints",
  dead: "/dead",
  acts: "/acts",
  shops: "/shops",
};

/** The pages of this section, above each of them. */
export function technicalTabs(current: TechnicalItem, { base, texts, language, hasShops }: PageContext): Html {
  const frame = frameTexts[language];
  const items = (Object.keys(PATHS) as TechnicalItem[]).filter((item) => item !== "shops" || hasShops);
  const name = (item: TechnicalItem) => (item === "status" ? frame.status : texts.menu[item]);
  const link = (item: TechnicalItem) =>
    html`<a href="${base}${PATHS[item]}"${item === current && html` aria-current="page"`}>${name(item)}</a>`;
  return html`<nav class="tabs" aria-label="${frame.technical}">${items.map(link)}</nav>
<p class="small">${frame.technicalLead}</p>`;
}

function countCell(path: string, name: string, count: number, isAlarm: boolean, context: PageContext): Html {
  const nonZero = isAlarm ? "alarm" : "";
  return html`<li><a class="${count === 0 ? "zero" : nonZero}" href="${context.base}${path}"><b>${countText(count, context)}</b>${name}</a></li>`;
}

function workCell(name: string, count: number, context: PageContext): Html {
  return html`<li><span class="cell${count === 0 && " zero"}"><b>${countText(count, context)}</b>${name}</span></li>`;
}
