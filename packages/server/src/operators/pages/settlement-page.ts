import { formatMoney } from "@tillkit/core";
import type { Settlement } from "../../export/settlement.ts";
import { type Html, html } from "../../pages/html.ts";
import { exportTexts } from "../texts/export-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

/** `problem` is a sentence that is shown instead of figures. */
export function settlementPage(
  { title, settlements, problem }: { title: string; settlements: readonly Settlement[]; problem: string | null },
  context: PageContext,
): OperatorPage {
  const texts = exportTexts[context.language];
  const body = html`<p class="back"><a href="${context.base}/export">${context.texts.export.heading}</a></p>
<h1>${texts.settlement}</h1>
<p>${title}</p>
<p>${texts.settlementLead}</p>
${problem !== null && html`<p class="card care" role="alert">${problem}</p>`}
${problem === null && settlements.length === 0 && html`<p class="card">${texts.nothing}</p>`}
${settlements.map((settlement) => settlementCard(settlement, context))}`;
  return { title: texts.settlement, body, menuItem: "export" };
}

function settlementCard(settlement: Settlement, context: PageContext): Html {
  const { currency, payments, compared, ours, service, fee, disputed } = settlement;
  const { language } = context;
  const texts = exportTexts[language];
  const name = new Intl.DisplayNames(language, { type: "currency" }).of(currency) ?? currency;
  const heading = name.slice(0, 1).toUpperCase() + name.slice(1);
  const count = (payments: number) => new Intl.NumberFormat(language).format(payments);
  const money = (minor: number) => formatMoney({ minor, currency }, language);
  // On a phone the columns stand below each other, and the style sheet shows the names of the columns before the amounts.
  const cell = (name: string, minor: number) => html`<td data-name="${name}">${money(minor)}</td>`;
  const rows: readonly (readonly [string, number, number])[] = [
    [texts.gross, ours.gross, service.gross],
    [texts.fees, -fee, -fee],
    [texts.refunds, -ours.refunded, -service.refunded],
    ...(disputed === 0 ? [] : [[texts.disputed, -disputed, -disputed] as const]),
    [texts.net, ours.net, service.net],
  ];
  const isEqual = rows.every(([, left, right]) => left === right);
  return html`<section class="card" aria-label="${heading}"><h2>${heading}</h2>
<table class="sides"><thead><tr><th scope="col">${texts.side}</th><th scope="col">${texts.ours}</th><th scope="col">${texts.service}</th><th scope="col">${texts.difference}</th></tr></thead>
<tbody>${rows.map(([name, left, right]) => html`<tr><th scope="row">${name}</th>${cell(texts.ours, left)}${cell(texts.service, right)}${cell(texts.difference, left - right)}</tr>\n`)}</tbody></table>
<p><strong>${isEqual ? texts.equal : texts.differs}</strong></p>
<p class="small">${texts.compared(count(compared), count(payments))}</p></section>`;
}
