import { type Equation, formatMoney, type Money } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { figureTexts, PERIODS } from "../texts/figure-texts.ts";
import { moneyTexts } from "../texts/money-texts.ts";
import { methodText } from "../texts/payment-texts.ts";
import { barPicture, sharePicture } from "./bar-picture.ts";
import { type Bar, type Figures, percentile } from "./figures.ts";
import type { PageContext } from "./page-context.ts";
import { storeField } from "./store-field.ts";

/** The figures of a period with their pictures. Each picture has a table beside it. */
export function overviewFigures(
  figures: Figures,
  storeIds: readonly string[],
  heldCount: string,
  context: PageContext,
): Html {
  const texts = figureTexts[context.language];
  return html`<h2 id="figures">${texts.heading}</h2>
${choices(figures, storeIds, context)}
${tiles(figures, heldCount, context)}
${figures.started === 0 ? html`<p class="card">${texts.nothing}</p>` : html`<div class="pictures">${pictures(figures, context)}</div>`}`;
}

function choices(
  { period, storeId, environment, hasBothEnvironments }: Figures,
  storeIds: readonly string[],
  context: PageContext,
): Html {
  const { base, language } = context;
  const texts = figureTexts[language];
  const url = (change: Record<string, string>) => {
    const query = new URLSearchParams({
      period,
      ...(storeId === null ? {} : { store: storeId }),
      mode: environment,
      ...change,
    });
    return `${base}?${query}`;
  };
  const chip = (to: string, text: string, isChosen: boolean) =>
    html`<li><a href="${to}"${isChosen && html` aria-current="true"`}>${text}</a></li>\n`;
  const store = storeField({ id: "store", label: texts.store, storeIds, chosen: storeId ?? "" }, context);
  return html`<ul class="chips few">${PERIODS.map((choice) => chip(url({ period: choice }), texts.periods[choice], choice === period))}${hasBothEnvironments && (["live", "test"] as const).map((mode) => chip(url({ mode }), texts[mode], mode === environment))}</ul>
${storeIds.length > 1 && html`<form class="inline-form" action="${base}" method="get"><input type="hidden" name="period" value="${period}"><input type="hidden" name="mode" value="${environment}">${store}<button class="second">${texts.show}</button></form>`}`;
}

function tiles(figures: Figures, heldCount: string, context: PageContext): Html {
  const { base, language } = context;
  const texts = figureTexts[language];
  const { sums, before, paid, started, ended, refunds, orderDelaysMs, webhookDelaysMs } = figures;
  const number = new Intl.NumberFormat(language);
  const tile = (name: string, value: string, hint = "") =>
    html`<div><dt>${name}</dt><dd><b>${value}</b>${hint !== "" && html`<span class="small">${hint}</span>`}</dd></div>\n`;
  const rate = ended === 0 ? "–" : percent(paid / ended, context);
  const refundCount = `${number.format(refunds.count)}${refunds.hasMore ? "+" : ""}`;
  const paidBefore = paid > 0 && before.paid > 0 ? `, ${comparison(paid, before.paid, context)}` : "";
  // Only the first currency is compared: `before.minor` is the amount of that currency in the period before.
  const receivedChange = comparison(sums[0]?.received.minor ?? 0, before.minor, context);
  return html`<dl class="tiles">
<div class="wide"><dt>${texts.received}</dt><dd>${sums.length === 0 ? html`<b>–</b>` : sums.map((sum) => receivedSum(sum, context))}${receivedChange !== "" && html`<span class="small">${receivedChange}</span>`}</dd></div>
${tile(texts.paid, number.format(paid), `${texts.ofStarted(number.format(started))}${paidBefore}`)}
${tile(texts.successRate, rate, texts.successHint)}
${delayTile(texts.toOrder, orderDelaysMs, texts.toOrderHint, context)}
${delayTile(texts.webhookDelay, webhookDelaysMs, texts.webhookHint, context)}
<div><dt>${texts.holds}</dt><dd><a href="${base}/payments?state=review"><b>${heldCount}</b></a></dd></div>
<div><dt>${texts.refunds}</dt><dd><a href="${base}/refunds"><b>${refunds.count === 0 ? texts.noRefunds : refundCount}</b></a></dd></div>
</dl>`;
}

/** What was received, and where it went unless all of it is still there. */
function receivedSum({ received, returned, leaving, disputed, available }: Equation, { language }: PageContext): Html {
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
  return html`<b>${money(received)}</b>${parts.length > 0 && [...parts, rest].map(([name, amount]) => html`<span class="small">${name} ${money(amount)}</span>`)}`;
}

/** How much a number differs from the number of the period before, as a text. Empty when both numbers are zero. */
function comparison(current: number, before: number, { language }: PageContext): string {
  const texts = figureTexts[language];
  if (current === 0 && before === 0) return "";
  if (before === 0) return texts.noneBefore;
  const format = { style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" } as const;
  return texts.compared(new Intl.NumberFormat(language, format).format(current / before - 1));
}

function delayTile(name: string, delays: readonly number[], hint: string, context: PageContext): Html {
  const texts = figureTexts[context.language];
  const [median, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)];
  const isMeasured = median !== null && p95 !== null;
  const value = isMeasured ? texts.halfAnd95(duration(median, context), duration(p95, context)) : texts.notMeasured;
  return html`<div><dt>${name}</dt><dd><b class="words">${value}</b>${isMeasured && html`<span class="small">${hint}</span>`}</dd></div>\n`;
}

function pictures(figures: Figures, context: PageContext): Html {
  const { language } = context;
  const texts = figureTexts[language];
  const { sums, bars, methods } = figures;
  // Without any money all amounts are 0, in any currency.
  const currency = sums[0]?.received.currency ?? "XOF";
  const money = (minor: number) => formatMoney({ minor, currency }, language);
  const label = ({ at }: Bar) => barLabel(at, figures, context);
  const received = texts.receivedByDay(currency);
  const amounts = bars.map((bar) => [label(bar), money(bar.minor)]);
  const counts = bars.map((bar) => [label(bar), String(bar.paid), String(bar.started)]);
  return html`<figure class="card"><figcaption>${received}</figcaption>
${barPicture(
  bars.map((bar) => ({ value: bar.minor, label: label(bar) })),
  `${received}: ${sums.map((sum) => formatMoney(sum.received, language)).join(" + ")}`,
)}
${asTable([texts.when, texts.amount], amounts, context)}</figure>
<figure class="card"><figcaption>${texts.countByDay}</figcaption>
${barPicture(
  bars.map((bar) => ({ value: bar.paid, label: label(bar) })),
  `${texts.countByDay}: ${figures.paid}, ${texts.ofStarted(String(figures.started))}`,
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

function duration(ms: number, { language }: PageContext): string {
  const texts = figureTexts[language];
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const twoMinutes = 120_000;
  return ms < twoMinutes ? texts.seconds(number.format(ms / 1_000)) : texts.minutes(number.format(ms / 60_000));
}
