import type { OperatorAct, Page } from "@tillkit/core";
import { type Html, html } from "../../pages/html.ts";
import { workTexts } from "../texts/work-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { exactTime, pager, paymentUrl, rows } from "./rows.ts";

/** What operators did, the newest first. */
export function actsPage(list: { page: Page<OperatorAct>; after: string | null }, context: PageContext): OperatorPage {
  const texts = workTexts[context.language];
  const body = html`<h1>${texts.acts}</h1>
<p>${texts.actsLead}</p>
${rows(
  list.page.rows.map((act) => actRow(act, context)),
  context,
)}
${pager(`${context.base}/acts`, { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.acts, body, menuItem: "acts" };
}

function actRow({ at, by, act, paymentId, detail }: OperatorAct, context: PageContext): Html {
  const { texts, language } = context;
  const link =
    paymentId !== null && html`<a href="${paymentUrl(paymentId, context)}">${texts.payment.payment} ${paymentId}</a>`;
  return html`<li><div class="row"><strong>${workTexts[language].actNames[act] ?? act}</strong><span>${by}</span><span class="time">${exactTime(at, context)}</span></div>
${detail !== "" && html`<p class="small">${detail}</p>`}${link && html`<p class="small">${link}</p>`}</li>`;
}
