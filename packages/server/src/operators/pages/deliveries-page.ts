import type { StoredDelivery } from "@tillkit/core/ledger";
import { type Html, html } from "../../pages/html.ts";
import { listTexts } from "../texts/list-texts.ts";
import type { DeliveryKind } from "../texts/operator-texts.ts";
import { paymentTexts } from "../texts/payment-texts.ts";
import { countText } from "./count-text.ts";
import type { OperatorPage } from "./layout.ts";
import { chip, type ListPage } from "./list-pages.ts";
import type { PageContext } from "./page-context.ts";
import { deliveryUrl, eventName, pager, paymentUrl } from "./rows.ts";
import { ago, emptyList, openLink, table } from "./table.ts";
import { technicalTabs } from "./technical-page.ts";

export const DELIVERY_KINDS: readonly DeliveryKind[] = [
  "waiting",
  "processed",
  "orphan",
  "unrelated",
  "unreadable",
  "endpoint_removed",
];

/** A delivery with the number of its order; null for a delivery without a payment in the ledger. */
export type ShownDelivery = StoredDelivery & { readonly orderNumber: string | null };

/** The webhooks that arrived, the newest first. */
export function deliveriesPage(
  list: ListPage<ShownDelivery>,
  kind: DeliveryKind | null,
  context: PageContext,
): OperatorPage {
  const { texts, base, language, counts } = context;
  const url = (choice: DeliveryKind | null) => `${base}/deliveries${choice === null ? "" : `?outcome=${choice}`}`;
  const name = (choice: DeliveryKind) =>
    html`${texts.deliveryKinds[choice]}${counts !== null && html` <span class="soft">${countText(counts.deliveries[choice], context)}</span>`}`;
  const chips = DELIVERY_KINDS.map((choice) => chip(url(choice), name(choice), choice === kind));
  const { rows } = list.page;
  const body = html`<h1>${texts.lists.deliveries}</h1>
${technicalTabs("deliveries", context)}
<ul class="chips">${chip(url(null), texts.lists.every, kind === null)}${chips}</ul>
${kind !== null && html`<p>${texts.deliveryHelp[kind]}</p>`}
${rows.length === 0 ? emptyList(...listTexts[language].empty.deliveries) : deliveryTable(rows, context)}
${pager(url(kind), { next: list.page.next, after: list.after }, context)}`;
  return { title: texts.lists.deliveries, body, menuItem: "technical" };
}

function deliveryTable(deliveries: readonly ShownDelivery[], context: PageContext): Html {
  const { texts, language } = context;
  const names = listTexts[language];
  const columns = [
    { name: names.event },
    { name: names.state, kind: "state" },
    { name: names.order },
    { name: names.endpoint },
    { name: names.tries },
    { name: names.received, kind: "when", isSorted: true },
  ] as const;
  const rows = deliveries.map((delivery) => {
    const { outcome, endpointId, attempts, receivedAt } = delivery;
    const kind = outcome ?? "waiting";
    return {
      cells: [
        eventCell(delivery, context),
        html`<span class="badge ${kind === "orphan" ? "care" : "calm"}">${texts.deliveryKind[kind]}</span>`,
        orderCell(delivery, context),
        html`<span class="soft">${endpointId}</span>`,
        attempts > 0 ? html`<span class="soft">${texts.lists.tries(attempts)}</span>` : null,
        ago(receivedAt, context),
      ],
      isAlarm: kind === "orphan",
    };
  });
  return table(texts.lists.deliveries, columns, rows);
}

/** A webhook is named by its event. Its content is shown until it is removed. */
function eventCell(delivery: ShownDelivery, context: PageContext): Html {
  const { texts, language } = context;
  const { event, byteLength } = delivery;
  const name = event === null ? paymentTexts[language].webhook : eventName(event, context);
  return byteLength === 0
    ? html`${name} <span class="small">${texts.lists.pruned}</span>`
    : openLink(deliveryUrl(delivery, context), name);
}

function orderCell({ paymentId, orderNumber }: ShownDelivery, context: PageContext): Html | null {
  if (paymentId === null) return null;
  return html`<a href="${paymentUrl(paymentId, context)}">${orderNumber ?? `${context.texts.payment.payment} ${paymentId}`}</a>`;
}
