import { html } from "../../pages/html.ts";
import type { OperatorPage } from "./layout.ts";
import type { Look } from "./look.ts";

/** `from` and `until` as dates, `2026-01-31`. */
export function exportPage(storeIds: readonly string[], from: string, until: string, look: Look): OperatorPage {
  const words = look.words.export;
  const options = storeIds.map((storeId) => html`<option value="${storeId}">${storeId}</option>`);
  const body = html`<h1>${words.heading}</h1>
<p>${words.lead}</p>
<form class="card" action="${look.base}/export.csv" method="get">
<div class="fields">
<div class="field"><label for="from">${words.from}</label><input id="from" name="from" type="date" required value="${from}"></div>
<div class="field"><label for="until">${words.until}</label><input id="until" name="until" type="date" required value="${until}"></div>
<div class="field"><label for="store">${words.store}</label><select id="store" name="store"><option value="">${words.allStores}</option>${options}</select></div>
</div>
<button>${words.button}</button>
</form>`;
  return { title: words.heading, body, here: "export" };
}
