import type { Language } from "@tillkit/core";
import { adminStyle, type Html, html, render, verbatim, withFrenchSpaces } from "@tillkit/server";
import { FINDING_KINDS } from "../findings/finding.ts";
import { auditLimits } from "../limits.ts";
import { dayText, describeFinding, minuteText } from "../report/describe.ts";
import { findingTable, REPORT_STYLE } from "../report/render-report.ts";
import { AUDIT_TEXTS } from "../texts/texts.ts";
import type { WatchedFinding } from "./finding-store.ts";
import type { Guard } from "./guard.ts";

/** What is open, and what healed. One document without a script. */
export async function renderGuardPage(guard: Guard, language: Language): Promise<string> {
  const texts = AUDIT_TEXTS[language];
  const open = await guard.findings.open(auditLimits.guardRows);
  const healed = await guard.findings.healed(auditLimits.guardRows);
  const round = guard.lastRound();
  const goodAt = guard.lastGoodAt();
  const body = html`<h1>${texts.guard.title}</h1>
<p class="small">${goodAt === null ? texts.guard.noRound : texts.guard.lastRound(minuteText(goodAt, language))}</p>
${round !== null && round.failure !== null && html`<p class="card care">${texts.guard.failing(round.failure)}</p>`}
<h2>${texts.guard.open} (${open.length})</h2>
${
  open.length === 0
    ? html`<p class="card good">${texts.guard.none}</p>`
    : FINDING_KINDS.map((kind) =>
        openOfKind(
          open.filter(({ finding }) => finding.kind === kind),
          language,
        ),
      )
}
<h2>${texts.guard.healed} (${healed.length})</h2>
${healed.length === 0 ? html`<p>${texts.guard.none}</p>` : html`<ul class="rows dense">${healed.map((row) => healedRow(row, language))}</ul>`}`;
  return render(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${texts.guard.title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(`${adminStyle}\n${REPORT_STYLE}`)}</style>
</head>
<body><main>${language === "fr" ? withFrenchSpaces(body) : body}</main></body>
</html>
`);
}

function openOfKind(rows: readonly WatchedFinding[], language: Language): Html | null {
  const [first] = rows;
  if (first === undefined) return null;
  const { name, todo } = AUDIT_TEXTS[language].kinds[first.finding.kind];
  return html`<h3>${name}</h3><p>${todo}</p>${findingTable(
    name,
    rows.map(({ finding }) => finding),
    language,
  )}`;
}

function healedRow({ finding, firstSeen, healedAt }: WatchedFinding, language: Language): Html {
  const { guard, kinds } = AUDIT_TEXTS[language];
  const names = finding.orders.map(({ number }) => `#${number}`).join(", ");
  return html`<li><strong>${kinds[finding.kind].name}</strong> ${names} ${describeFinding(finding, language)}<p class="small">${guard.firstSeen} ${dayText(firstSeen, language)} · ${guard.healedAt} ${minuteText(healedAt ?? firstSeen, language)}</p></li>`;
}
