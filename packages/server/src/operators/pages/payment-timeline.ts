import type { Explanation } from "@tillkit/core";
import type { StoredDelivery } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import type { PageContext } from "./page-context.ts";
import { deliveryUrl, eventName, exactTime } from "./rows.ts";

/** What happened to the payment and which webhooks arrived, oldest first. */
export function paymentTimeline(
  { entries }: Explanation,
  deliveries: readonly StoredDelivery[],
  context: PageContext,
): Html {
  const items = [
    ...deliveries.map((delivery) => ({ at: delivery.receivedAt, item: webhookItem(delivery, context) })),
    ...entries.map(({ at, actor, text }) => {
      return {
        at,
        item: html`<li><p class="small">${exactTime(at, context)}\u00a0· ${actor}</p><p>${text}</p></li>\n`,
      };
    }),
  ];
  // The sort is stable: entries of the same time keep their order, and come after a webhook of that time, which caused them.
  items.sort((left, right) => left.at - right.at);
  return html`<ol class="timeline">${items.map(({ item }) => item)}</ol>`;
}

function webhookItem(delivery: StoredDelivery, context: PageContext): Html {
  const { texts, language, operator } = context;
  const pageTexts = paymentTexts[language];
  const { event, eventAt, receivedAt, attempts, outcome, byteLength } = delivery;
  const outcomeText = texts.deliveryKind[outcome ?? "waiting"];
  const facts = [
    ...(eventAt === null || receivedAt < eventAt ? [] : [pageTexts.delay(secondsText(receivedAt - eventAt, context))]),
    ...(attempts > 0 ? [texts.lists.tries(attempts)] : []),
    ...(outcome === "processed" || event === null ? [] : [outcomeText]),
  ];
  // A webhook's content is for the operators of the server: the owner of one shop has no page of it.
  const isShown = byteLength > 0 && operator.storeId === null;
  return html`<li class="webhook"><p class="small">${exactTime(receivedAt, context)}\u00a0· ${pageTexts.webhook}</p>
<p>${event === null ? outcomeText : eventName(event, context)} <span class="small">${facts.join(", ")}</span>${isShown && html` <a class="small" href="${deliveryUrl(delivery, context)}">${pageTexts.body}</a>`}</p></li>\n`;
}

function secondsText(ms: number, { language }: PageContext): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(ms / 1_000);
}
