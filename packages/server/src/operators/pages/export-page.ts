import { html } from "../../pages/html.ts";
import { EXPORT_KINDS, exportTexts } from "../texts/export-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";
import { storeField } from "./store-field.ts";

/** `from` and `until` as dates, `2026-01-31`. */
export function exportPage(
  storeIds: readonly string[],
  from: string,
  until: string,
  context: PageContext,
): OperatorPage {
  const texts = context.texts.export;
  const formTexts = exportTexts[context.language];
  const kinds = EXPORT_KINDS.map((kind) => html`<option value="${kind}">${formTexts.kinds[kind]}</option>`);
  const store = storeField({ id: "store", label: texts.store, storeIds, chosen: "" }, context);
  const body = html`<h1>${texts.heading}</h1>
<p>${texts.lead}</p>
<form class="card" action="${context.base}/export.csv" method="get">
<div class="fields">
<div class="field"><label for="what">${formTexts.what}</label><select id="what" name="what">${kinds}</select></div>
<div class="field"><label for="from">${texts.from}</label><input id="from" name="from" type="date" required value="${from}"></div>
<div class="field"><label for="until">${texts.until}</label><input id="until" name="until" type="date" required value="${until}"></div>
<div class="field">${store}</div>
<div class="field"><label for="format">${formTexts.format}</label><select id="format" name="format"><option value="">${formTexts.plain}</option><option value="excel">${formTexts.excel}</option></select></div>
</div>
<div class="actions"><button>${texts.button}</button><button class="second" formaction="${context.base}/settlement">${formTexts.show}</button></div>
</form>`;
  return { title: texts.heading, body, menuItem: "export" };
}
