import { type Html, html } from "../../pages/html.ts";
import { figureTexts } from "../texts/figure-texts.ts";
import { percentile } from "./figures.ts";
import type { PageContext } from "./page-context.ts";

/** How long something usually takes, and how long the slowest take. */
export function delayTile(name: string, delays: readonly number[], hint: string, context: PageContext): Html {
  const texts = figureTexts[context.language];
  const [median, p95] = [percentile(delays, 0.5), percentile(delays, 0.95)];
  const isMeasured = median !== null && p95 !== null;
  const value = isMeasured ? texts.usually(duration(median, context)) : texts.notMeasured;
  const slowest = isMeasured && html`<span class="small">${texts.slowest(duration(p95, context))}, ${hint}</span>`;
  return html`<div><dt>${name}</dt><dd><b class="words">${value}</b>${slowest}</dd></div>\n`;
}

function duration(ms: number, { language }: PageContext): string {
  const texts = figureTexts[language];
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const twoMinutes = 120_000;
  return ms < twoMinutes ? texts.seconds(number.format(ms / 1_000)) : texts.minutes(number.format(ms / 60_000));
}
