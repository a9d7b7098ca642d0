import { CURRENCY_DECIMALS, type Equation, formatMoney, type Money } from "@tillkit/core";
import { barPicture, sharePicture } from "../../pages/bar-picture.ts";
import { type Html, html } from "../../pages/html.ts";
import { figureTexts, PERIODS } from "../texts/figure-texts.ts";
import { moneyTexts } from "../texts/money-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import { countText } from "./count-text.ts";
import type { Bar, Figures } from "./figures.ts";
import { currencyMark } from "./money-table.ts";
import type { PageContext } from "./page-context.ts";
import { storeField } from "./store-field.ts";

type OverviewFigures = {
  readonly figures: Figures;
  readonly storeIds: readonly string[];
  /** How many things need a person. */
  readonly waiting: number;
};

/** Today, and the figures of a period with their pictures. Each picture has a table beside it. */
export function overviewFigures({ figures, storeIds, waiting }: OverviewFigures, context: PageContext): Html {
  const texts = figureTexts[context.language];
  return html`<h2 id="figures">${texts.today}</h2>
${todayTiles(figures, waiting, context)}
<h2>${texts.heading}</h2>
${choices(figures, storeIds, context)}
${tiles(figures, context)}
${figures.started === 0 ? html`<p class="empty">${texts.nothing}</p>` : html`<div class="pictures">${pictures(figures, context)}</div>`}`;
}

/** Today so far beside yesterday up to the same time. */
function todayTiles({ today, yesterday }: Figures, waiting: number, context: PageContext): Html {
  const { language } = context;
  const texts = figureTexts[language];
  const number = new Intl.NumberFormat(language);
  const sums = (received: readonly Money[]) => received.map((sum) => formatMoney(sum, language)).join(" + ");
  const before = yesterday.received.length === 0 ? texts.noneYesterday : texts.yesterday(sums(yesterday.received));
  return html`<dl class="tiles">
<div class="wide"><dt>${texts.received}</dt><dd>${today.received.length === 0 ? html`<b>${texts.noneYet}</b>` : today.received.map((sum) => html`<b>${formatMoney(sum, language)}</b>`)}<span class="small">${before}</span></dd></div>
<div><dt>${texts.paid}</dt><dd><b>${number.format(today.paid)}</b><span class="small">${texts.yesterday(number.format(yesterday.paid))}</span></dd></div>
${waitingTile(waiting, context)}
</dl>`;
}

/** How many things need a person, which stand below on a phone. */
function waitingTile(count: number, context: PageContext): Html {
  const texts = figureTexts[context.language];
  return html`<div${count > 0 && html` class="care"`}><dt>${texts.waiting}</dt><dd><a href="#attention"><b>${countText(count, context)}</b></a><span class="small">${texts.waitingHint}</span></dd></div>`;
}

function choices({ period, storeId }: Figures, storeIds: readonly string[], context: PageContext): Html {
  const { base, language } = context;
  const texts = figureTexts[language];
  const url = (choice: string) =>
    `${base}?${new URLSearchParams({ period: choice, ...(storeId === null ? {} : { store: storeId }) })}`;
  const chip = (choice: (typeof PERIODS)[number]) =>
    html`<li><a href="${url(choice)}"${choice === period && html` aria-current="true"`}>${texts.periods[choice]}</a></li>\n`;
  const store = storeField({ id: "store", label: texts.store, storeIds, chosen: storeId ?? "" }, context);
  return html`<div class="chosen"><ul class="chips few">${PERIODS.map(chip)}</ul>
${storeIds.length > 1 && html`<form class="inline-form" action="${base}" method="get"><input type="hidden" name="period" value="${period}">${store}<button class="second">${texts.show}</button></form>`}</div>`;
}

function tiles(figures: Figures, context: PageContext): Html {
  const { base, language } = context;
  const texts = figureTexts[language];
  const { sums, before, paid, started, ended, refunds } = figures;
  const number = new Intl.NumberFormat(language);
  const tile = (name: string, value: string, hint = "") =>
    html`<div><dt>${name}</dt><dd><b>${value}</b>${hint !== "" && html`<span class="small">${hint}</span>`}</dd></div>\n`;
  const rate = ended === 0 ? "–" : percent(paid / ended, context);
  const refundCount = `${number.format(refunds.count)}${refunds.hasMore ? "+" : ""}`;
  const paidBefore = paid > 0 && before.paid > 0 ? `, ${comparison(paid, before.paid, context)}` : "";
  const receivedBefore = ({ received: { currency } }: Equation) =>
    before.received.find((sum) => sum.currency === currency)?.minor ?? 0;
  return html`<dl class="tiles">
<div class="wide"><dt>${texts.received}</dt><dd>${sums.length === 0 ? html`<b>–</b>` : sums.map((sum) => receivedSum(sum, receivedBefore(sum), context))}</dd></div>
${tile(texts.paid, number.format(paid), `${texts.ofStarted(number.format(started))}${paidBefore}`)}
${tile(texts.successRate, rate, texts.successHint)}
<div><dt>${texts.refunds}</dt><dd><a href="${base}/refunds"><b>${refunds.count === 0 ? texts.noRefunds : refundCount}</b></a><span class="small">${texts.refundsHint}</span></dd></div>
</dl>`;
}

/** What was received, how much more that is than before, and where it went unless all of it is still there. */
function receivedSum(sum: Equation, before: number, context: PageContext): Html {
  const { received, returned, leaving, disputed, available } = sum;
  const { language } = context;
  const texts = moneyTexts[language];
  const money = (amount: Money) => formatMoney(amount, language);
  const parts = (
    [
      [texts.returned, returned],
      [texts.leaving, leaving],
      [texts.disputed, disputed],
    ] as const
  ).filter(([, { minor }]) => minor !== 0);
  const rest = [figureTexts[language].left, available] as const;
  return html`<b>${money(received)}</b><span class="small">${comparison(received.minor, before, context)}</span>${parts.length > 0 && [...parts, rest].map(([name, amount]) => html`<span class="small part"><span>${name}</span> <span>${money(amount)}</span></span>`)}`;
}

/** How much a number differs from the number of the period before, as a text. Empty when both numbers are zero. */
function comparison(current: number, before: number, { language }: PageContext): string {
  const texts = figureTexts[language];
  if (current === 0 && before === 0) return "";
  if (before === 0) return texts.noneBefore;
  const format = { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" } as const;
  return texts.compared(new Intl.NumberFormat(language, format).format(current / before - 1));
}

function pictures(figures: Figures, context: PageContext): Html {
  const { language } = context;
  const texts = figureTexts[language];
  const { sums, bars, methods } = figures;
  const label = ({ at }: Bar) => barLabel(at, figures, context);
  const counts = bars.map((bar) => [label(bar), String(bar.paid), String(bar.started)]);
  const number = new Intl.NumberFormat(language);
  return html`${sums.map((sum, index) => receivedPicture(sum.received, index, figures, context))}
<figure class="card"><figcaption>${texts.countByDay}</figcaption>
${barPicture(
  bars.map((bar) => ({ value: bar.paid, label: label(bar) })),
  `${texts.countByDay}: ${figures.paid}, ${texts.ofStarted(String(figures.started))}`,
  (value) => number.format(value),
)}
${asTable([texts.when, texts.count, texts.started], counts, context)}</figure>
${
  methods.length > 0 &&
  html`<figure class="card"><figcaption>${texts.byMethod}</figcaption>
<table><thead><tr><th scope="col">${texts.method}</th><th scope="col">${texts.rate}</th><th scope="col">${texts.count}</th></tr></thead><tbody>${methods.map(
    ({ method, paid, ended }) => {
      const rate = percent(paid / ended, context);
      return html`<tr><th scope="row">${methodText(method, language)}</th><td>${sharePicture(paid / ended, rate)}${rate}</td><td>${paid} / ${ended}</td></tr>\n`;
    },
  )}</tbody></table></figure>`
}`;
}

/** What was received in one currency, which has a picture and a scale of its own. */
function receivedPicture(total: Money, index: number, figures: Figures, context: PageContext): Html {
  const { language } = context;
  const texts = figureTexts[language];
  const { currency } = total;
  const caption = texts.receivedByDay(currencyMark(currency, language));
  const rows = figures.bars.map((bar) => ({
    label: barLabel(bar.at, figures, context),
    minor: bar.received[index] ?? 0,
  }));
  const table = rows.map(({ label, minor }) => [label, formatMoney({ minor, currency }, language)]);
  const brief = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const perUnit = 10 ** (CURRENCY_DECIMALS[currency] ?? 0);
  return html`<figure class="card"><figcaption>${caption}</figcaption>
${barPicture(
  rows.map(({ label, minor }) => ({ value: minor, label })),
  `${caption}: ${formatMoney(total, language)}`,
  (minor) => brief.format(minor / perUnit),
)}
${asTable([texts.when, texts.amount], table, context)}</figure>`;
}

function asTable(head: readonly string[], rows: readonly (readonly string[])[], { language }: PageContext): Html {
  return html`<details><summary>${figureTexts[language].asTable}</summary><table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(
    ([first = "", ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></details>`;
}

function barLabel(at: number, { period }: Figures, { language, zone }: PageContext): string {
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  return labelFormat(locale, zone, period === "24h" ? "timeOfDay" : "day").format(at);
}

const LABEL_OPTIONS = {
  timeOfDay: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// A format is expensive to create, and a picture has up to ninety labels.
const labelFormats = new Map<string, Intl.DateTimeFormat>();

function labelFormat(locale: string, zone: string, label: keyof typeof LABEL_OPTIONS): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${label}`;
  const options = { ...LABEL_OPTIONS[label], timeZone: zone };
  const format = labelFormats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  labelFormats.set(key, format);
  return format;
}

function percent(share: number, { language }: PageContext): string {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}
