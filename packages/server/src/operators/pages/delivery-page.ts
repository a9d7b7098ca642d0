import { type Html, html } from "../../pages/html.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import type { OperatorPage } from "./layout.ts";
import type { PageContext } from "./page-context.ts";

/** The redacted content of one webhook; null where nothing of it can be shown. */
export function deliveryPage(content: string | null, isPruned: boolean, context: PageContext): OperatorPage {
  const texts = paymentTexts[context.language];
  const body = html`${toDeliveries(context)}
<h1>${texts.bodyHeading}</h1>
${
  content === null
    ? html`<p class="card">${isPruned ? texts.bodyRemoved : texts.bodyUnreadable}</p>`
    : html`<p>${texts.bodyLead}</p>
<pre class="card" tabindex="0" aria-label="${texts.bodyHeading}">${content}</pre>`
}`;
  return { title: texts.bodyHeading, body, menuItem: "technical" };
}

/** The page of a webhook that the ledger does not contain. */
export function missingDeliveryPage(context: PageContext): OperatorPage {
  const title = paymentTexts[context.language].noDelivery;
  return { title, body: html`${toDeliveries(context)}\n<h1>${title}</h1>`, menuItem: "technical" };
}

function toDeliveries({ base, texts }: PageContext): Html {
  return html`<p class="back"><a href="${base}/deliveries">${texts.lists.deliveries}</a></p>`;
}
