import type { Language } from "@tillkit/core";
import { type Html, html } from "@tillkit/server";
import type { Audit, Day } from "../audit.ts";
import { amountText } from "../facts/read-amount.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import { dayText } from "./describe.ts";

const WIDTH = 720;
const HEIGHT = 110;
const MOST_BARS = 62;
const DAY = 86_400_000;

/** Bars of the money received by day, or by several days of a long period, for the currency with most payments. */
export function renderPicture(audit: Audit, language: Language): Html | null {
  const texts = AUDIT_TEXTS[language];
  const currency = mostUsed(audit.days);
  if (currency === null) return null;
  const bars = barsOf(audit, currency);
  const highest = bars.reduce((most, { minor }) => Math.max(most, minor), 1);
  const step = WIDTH / bars.length;
  const label = texts.picture(currency);
  return html`<h2>${texts.headings.picture}</h2>
<figure class="card"><figcaption>${label}</figcaption>
<svg class="bars" viewBox="0 0 ${WIDTH} ${HEIGHT + 22}" role="img" aria-label="${label}">
<line x1="0" y1="${HEIGHT}" x2="${WIDTH}" y2="${HEIGHT}"/>
${bars.map(({ minor, findings }, index) => {
  const height = Math.round((minor / highest) * (HEIGHT - 14));
  const x = (index * step).toFixed(1);
  const width = Math.max(step - 2, 1).toFixed(1);
  const mark =
    findings === 0 ? null : html`<rect class="marked" x="${x}" y="${HEIGHT + 3}" width="${width}" height="4"/>`;
  return html`<rect x="${x}" y="${HEIGHT - height}" width="${width}" height="${height}"/>${mark}`;
})}
<text class="first" x="0" y="${HEIGHT + 20}">${dayText(audit.from, language)}</text>
<text class="last" x="${WIDTH}" y="${HEIGHT + 20}">${dayText(audit.until - 1, language)}</text>
</svg>
<details class="fold"><summary>${texts.columns.day}, ${texts.columns.received}, ${texts.columns.findings}</summary><table>
<thead><tr><th scope="col">${texts.columns.day}</th><th scope="col">${texts.columns.received}</th><th scope="col">${texts.columns.findings}</th></tr></thead>
<tbody>${bars.map(({ at, minor, findings }) => html`<tr><th scope="row">${dayText(at, language)}</th><td>${amountText({ minor, currency }, language)}</td><td>${findings}</td></tr>`)}</tbody>
</table></details></figure>`;
}

function mostUsed(days: readonly Day[]): string | null {
  const counts = new Map<string, number>();
  for (const { currency, payments } of days) counts.set(currency, (counts.get(currency) ?? 0) + payments);
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  return most?.[0] ?? null;
}

type Bar = { readonly at: number; minor: number; findings: number };

function barsOf({ days, from, until }: Audit, currency: string): readonly Bar[] {
  const daysPerBar = Math.max(1, Math.ceil((until - from) / DAY / MOST_BARS));
  const bars: Bar[] = [];
  for (let at = from; at < until; at += daysPerBar * DAY) bars.push({ at, minor: 0, findings: 0 });
  for (const day of days) {
    const bar = bars[Math.floor((day.at - from) / DAY / daysPerBar)];
    if (bar === undefined) continue;
    if (day.currency === currency) bar.minor += day.minor;
    bar.findings += day.findings;
  }
  return bars;
}
