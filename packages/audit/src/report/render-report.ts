import type { Language } from "@tillkit/core";
import { adminStyle, type Html, html, render, verbatim, withFrenchSpaces } from "@tillkit/server";
import type { Audit } from "../audit.ts";
import { amountText } from "../facts/read-amount.ts";
import { FINDING_KINDS, type Finding, type FindingKind } from "../findings/finding.ts";
import { auditLimits } from "../limits.ts";
import type { SideSums } from "../sums.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import {
  amountsText,
  dayText,
  describeCertainty,
  describeFinding,
  minuteText,
  outcomeName,
  sumByCurrency,
} from "./describe.ts";
import { renderPicture } from "./render-picture.ts";

/** One HTML document without a script and without the network, to keep, to print and to send. It names no person. */
export function renderReport(audit: Audit, language: Language): string {
  const texts = AUDIT_TEXTS[language];
  const body = html`
<h1>${texts.title}</h1>
<p class="small">${texts.period(dayText(audit.from, language), dayText(audit.until - 1, language))} · ${audit.shops.map(({ shop }) => shop).join(", ")} · ${texts.made(minuteText(audit.at, language))}</p>
${audit.environment === "test" && html`<p class="card care">${texts.testMoney}</p>`}
${headline(audit, language)}
${renderPicture(audit, language)}
${FINDING_KINDS.map((kind) => section(kind, audit, language))}
${sums(audit, language)}
${blind(audit, language)}
${whatWasRead(audit, language)}`;
  return render(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${texts.title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(`${adminStyle}\n${REPORT_STYLE}`)}</style>
</head>
<body><main>${language === "fr" ? withFrenchSpaces(body) : body}</main></body>
</html>
`);
}

export const REPORT_STYLE = `
main{padding-bottom:40px}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2px 10px;margin:0 0 10px}
.scroll td,.scroll th{text-align:left;vertical-align:top;overflow-wrap:break-word}
.scroll table{min-width:42rem}
.scroll .number{white-space:nowrap}
.scroll td.sum,.scroll th.sum{text-align:right;white-space:nowrap}
tfoot th,tfoot td{font-weight:700;border-top:2px solid var(--line)}
svg.bars .marked{fill:var(--on-care)}
@media (min-width:48rem){svg.bars text{font-size:10px}}
figure.card{margin:0 0 10px}
figure.card>.fold{margin:0}
@media (forced-colors:active){svg.bars .marked{fill:Highlight}}
@media print{body{background:#fff;color:#000}.scroll,.card,.counts span.cell{break-inside:avoid;border-color:#999}h2{break-after:avoid}a{color:inherit}}
`;

function headline(audit: Audit, language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  const { findings } = audit;
  if (findings.length === 0) return html`<p class="card good"><strong>${texts.nothing}</strong></p>`;
  const likely = findings.filter(({ certainty }) => certainty === "likely").length;
  const kinds = FINDING_KINDS.map((kind) => ({ kind, here: findings.filter((finding) => finding.kind === kind) }));
  return html`<p class="card care"><strong>${texts.found(findings.length, likely)}</strong></p>
<ul class="counts">${kinds
    .filter(({ here }) => here.length > 0)
    .map(
      ({ kind, here }) =>
        html`<li><a href="#${kind}"><b>${here.length}</b> ${texts.kinds[kind].name}<span class="small">${amountsText(sumByCurrency(here), language)}</span></a></li>`,
    )}</ul>`;
}

function section(kind: FindingKind, audit: Audit, language: Language): Html | null {
  const texts = AUDIT_TEXTS[language];
  const here = audit.findings.filter((finding) => finding.kind === kind);
  if (here.length === 0) return null;
  const { name, meaning, todo } = texts.kinds[kind];
  const listed = here.slice(0, auditLimits.listedFindings);
  return html`<h2 id="${kind}">${name}</h2>
<p>${meaning}</p>
<p class="card attention"><strong>${texts.headings.todo}${colon(language)}</strong> ${todo}</p>
${findingTable(name, listed, language)}
${here.length > listed.length && html`<p class="small">${texts.more(here.length - listed.length, "findings.csv")}</p>`}`;
}

/** French puts a space before a colon. */
function colon(language: Language): string {
  return language === "fr" ? "\u00a0:" : ":";
}

/** A table of findings, which scrolls by itself on a narrow screen. */
export function findingTable(name: string, listed: readonly Finding[], language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.columns.order}</th><th scope="col">${texts.columns.payment}</th><th scope="col" class="sum">${texts.columns.amount}</th><th scope="col">${texts.columns.what}</th><th scope="col">${texts.columns.since}</th><th scope="col">${texts.columns.certainty}</th></tr></thead>
<tbody>${listed.map((finding) => row(finding, language))}</tbody>
</table></div>`;
}

function row(finding: Finding, language: Language): Html {
  const orders = finding.orders.map(({ number, url, shop }) =>
    url === null
      ? html`<div>${number} <span class="small">${shop}</span></div>`
      : html`<div><a href="${url}">${number}</a> <span class="small">${shop}</span></div>`,
  );
  const payments = finding.payments
    .slice(0, SHOWN_PAYMENTS)
    .map(({ code, id }) => html`<div class="number">${code ?? id}</div>`);
  const more = finding.payments.length - SHOWN_PAYMENTS;
  return html`<tr><td>${orders.length === 0 ? "–" : orders}</td><td>${payments.length === 0 ? "–" : payments}${more > 0 && html`<div class="small">+ ${more}</div>`}</td><td class="sum">${amountText(finding.amount, language)}</td><td>${describeFinding(finding, language)}</td><td>${dayText(finding.since, language)}</td><td>${describeCertainty(finding, language)}</td></tr>`;
}

const SHOWN_PAYMENTS = 4;

function sums(audit: Audit, language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  const { columns } = texts;
  const cells = (side: SideSums) =>
    html`<td class="sum">${side.orders.count}</td><td class="sum">${amountsText(side.orders.amounts, language)}</td><td class="sum">${side.payments.count}</td><td class="sum">${amountsText(side.payments.amounts, language)}</td><td class="sum">${side.refunds.count}</td><td class="sum">${amountsText(side.refunds.amounts, language)}</td><td class="sum">${side.disputes.count}</td>`;
  const heads = [
    columns.orders,
    columns.orderTotal,
    columns.payments,
    columns.received,
    columns.refunds,
    columns.returned,
    columns.disputes,
  ];
  return html`<h2>${texts.headings.sums}</h2>
<p>${audit.addsUp ? texts.addsUp : texts.differs} ${texts.sumsLead}</p>
<div class="scroll" role="region" aria-label="${texts.headings.sums}" tabindex="0"><table>
<thead><tr><th scope="col">${columns.group}</th>${heads.map((head) => html`<th scope="col" class="sum">${head}</th>`)}</tr></thead>
<tbody>${[...audit.outcomes].map(([outcome, side]) => html`<tr><th scope="row">${outcomeName(outcome, language)}</th>${cells(side)}</tr>`)}</tbody>
<tfoot><tr><th scope="row">${texts.wholeInput}</th>${cells(audit.sides)}</tr></tfoot>
</table></div>`;
}

function blind(audit: Audit, language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  const lines = audit.blind.map(
    ({ why, shop, kind }) =>
      html`<li><strong>${texts.kinds[kind].name}${colon(language)}</strong> ${texts.blind[why](shop ?? "")}</li>`,
  );
  return html`<h2>${texts.headings.blind}</h2>${lines.length === 0 ? html`<p>${texts.nothingBlind}</p>` : html`<ul>${lines}</ul>`}`;
}

function whatWasRead(audit: Audit, language: Language): Html {
  const texts = AUDIT_TEXTS[language];
  const day = (at: number) => dayText(at, language);
  const { from, until, environments, disputesSince } = audit.movements;
  return html`<h2>${texts.headings.read}</h2>
<ul>
<li>${texts.readService(day(from), day(until), environments.map((name) => texts.environments[name]).join(", "))} ${texts.disputesSince(disputesSince === null ? null : day(disputesSince))}</li>
${audit.shops.map((shop) => html`<li>${texts.readShop(shop.shop, day(shop.from), day(shop.until))}</li>`)}
</ul>
<p class="small">${texts.readOnly}</p>`;
}
