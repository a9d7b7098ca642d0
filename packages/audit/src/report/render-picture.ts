import type { Language } from "@tillkit/core";
import { barPicture, type Html, html } from "@tillkit/server";
import type { Audit, Day } from "../audit.ts";
import { amountText, decimalsOfAny } from "../facts/read-amount.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import { dayText } from "./describe.ts";

const MOST_BARS = 62;
const DAY = 86_400_000;

/** Bars of the money received by day, or by several days of a long period: a picture with a scale of its own for each currency. */
export function renderPicture(audit: Audit, language: Language): Html | null {
  const currencies = currenciesOf(audit.days);
  if (currencies.length === 0) return null;
  return html`<h2>${AUDIT_TEXTS[language].headings.picture}</h2>
${currencies.map((currency) => pictureOf(currency, audit, language))}`;
}

function pictureOf(currency: string, audit: Audit, language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  const { day, received, findings: differences } = texts.columns;
  const bars = barsOf(audit, currency);
  const caption = texts.picture(currency);
  const total = bars.reduce((sum, { minor }) => sum + minor, 0);
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  const label = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const brief = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
  const perUnit = 10 ** decimalsOfAny(currency);
  const amount = (minor: number) => amountText({ minor, currency }, language);
  return html`<figure class="card"><figcaption>${caption}</figcaption>
${barPicture(
  bars.map(({ at, minor, findings }) => ({
    value: minor,
    label: label.format(at),
    title: `${dayText(at, language)} · ${amount(minor)}`,
    isMarked: findings > 0,
  })),
  `${caption} · ${amount(total)}`,
  (minor) => brief.format(minor / perUnit),
)}
${bars.some(({ findings }) => findings > 0) && html`<p class="small">${texts.pictureMark}</p>`}
<details class="fold"><summary>${day}, ${received}, ${differences}</summary><table>
<thead><tr>${[day, received, differences].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${bars.map(({ at, minor, findings }) => html`<tr><th scope="row">${dayText(at, language)}</th><td>${amount(minor)}</td><td>${findings}</td></tr>`)}</tbody>
</table></details></figure>`;
}

/** The currency with most payments first. */
function currenciesOf(days: readonly Day[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { currency, payments } of days) counts.set(currency, (counts.get(currency) ?? 0) + payments);
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([currency]) => currency);
}

type Bar = { readonly at: number; minor: number; findings: number };

function barsOf({ days, from, until }: Audit, currency: string): readonly Bar[] {
  const daysPerBar = Math.max(1, Math.ceil((until - from) / DAY / MOST_BARS));
  const bars: Bar[] = [];
  for (let at = from; at < until; at += daysPerBar * DAY) bars.push({ at, minor: 0, findings: 0 });
  for (const day of days) {
    const bar = bars[Math.floor((day.at - from) / DAY / daysPerBar)];
    if (bar === undefined || day.currency !== currency) continue;
    bar.minor += day.minor;
    bar.findings += day.findings;
  }
  return bars;
}
