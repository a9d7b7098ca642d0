import { html } from "../../pages/html.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

/** Without a script the server cannot know the browser's time zone, so the operator chooses it once. */
export function zonePage(context: PageContext): OperatorPage {
  const texts = paymentTexts[context.language];
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  const options = zones.map((zone) => html`<option${zone === context.zone && html` selected`}>${zone}</option>`);
  const body = html`<h1>${texts.zone}</h1>
<p>${texts.zoneLead}</p>
<form class="card" action="${context.base}" method="get">
<div class="field"><label for="zone">${texts.zone}</label><select id="zone" name="zone">${options}</select></div>
<button>${texts.zoneButton}</button>
</form>`;
  return { title: texts.zone, body, menuItem: null };
}
