import type { OperatorAct, Page } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { listTexts } from "../texts/list-texts.ts";
import { workTexts } from "../texts/work-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { exactTime, pager, paymentUrl } from "./rows.ts";
import { emptyList, table } from "./table.ts";
import { technicalTabs } from "./technical-page.ts";

/** What operators did, the newest first. */
export function actsPage(list: { page: Page<OperatorAct>; after: string | null }, context: PageContext): OperatorPage {
  const { language, base } = context;
  const texts = workTexts[language];
  const { rows, next } = list.page;
  const body = html`<h1>${texts.acts}</h1>
${technicalTabs("acts", context)}
<p>${texts.actsLead}</p>
${rows.length === 0 ? emptyList(...listTexts[language].empty.acts) : actTable(rows, context)}
${pager(`${base}/acts`, { next, after: list.after }, context)}`;
  return { title: texts.acts, body, menuItem: "technical" };
}

function actTable(acts: readonly OperatorAct[], context: PageContext): Html {
  const { language } = context;
  const names = listTexts[language];
  const texts = workTexts[language];
  const columns = [
    { name: names.what },
    { name: names.who },
    { name: names.about, kind: "full" },
    { name: names.when, kind: "when", isSorted: true },
  ] as const;
  const rows = acts.map(({ at, by, act, paymentId, detail }) => {
    const link = paymentId !== null && html`<a href="${paymentUrl(paymentId, context)}">${paymentId}</a>`;
    const about = html`${detail !== "" && detail} ${link && html`<span class="small">${context.texts.payment.payment} ${link}</span>`}`;
    return { cells: [html`<strong>${texts.actNames[act] ?? act}</strong>`, by, about, exactTime(at, context)] };
  });
  return table(texts.acts, columns, rows);
}
