import { html } from "../../../pages/html.ts";
import { readRefund } from "../../../reversals/refunds.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton } from "../../components/forms.ts";
import { refundListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

const listPage: PageHandler = async ({ service, query }) => {
  const refunds = await service.store.database
    .selectFrom("refunds")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = refunds.map((refund) => refundListItem(service, refund));
  const emptyText = "None: a refund appears when a merchant refunds a payment.";
  return { tab: "refunds", title: "Refunds", main: html`<h1>Refunds</h1>${pagedList(query, { items, emptyText })}` };
};

const detailPage: PageHandler = async ({ service, id }) => {
  const refund = await readRefund(service.store.database, id);
  const title = refund.reason ?? "Refund";
  const main = html`<p class="breadcrumb"><a href="${pageUrl("refunds")}">Refunds</a></p>
<h1>${title} ${badge(refund.status)}</h1>
<p class="key-figure">${amountText(service, refund.amount, refund.currency_code)}</p>
${refund.failure_message !== null && html`<p class="said problem">${refund.failure_message}</p>`}
${refund.status === "pending" && html`<div class="control-form">${actionButton({ action: `${pageUrl("refunds", id)}/complete`, label: "Complete" })}${actionButton({ action: `${pageUrl("refunds", id)}/fail`, label: "Fail", variant: "quiet" })}</div>`}
${detailList({
  Refund: idText(refund.refund_id),
  Transaction: html`<a href="${pageUrl("transactions", refund.transaction_id)}">${refund.transaction_id}</a>`,
  "Member Account": idText(refund.account),
  Environment: refund.environment,
  Created: timeText(refund.created_at),
  Changed: timeText(refund.updated_at),
})}`;
  return { tab: "refunds", title, main };
};

const complete: ActionHandler = async ({ control, id }) => {
  await control.completeRefund(id);
  return { to: pageUrl("refunds", id), flashMessage: "refund-completed" };
};

const fail: ActionHandler = async ({ control, id }) => {
  await control.failRefund(id);
  return { to: pageUrl("refunds", id), flashMessage: "refund-failed" };
};

export const refundSection: ConsoleSection = {
  pages: { refunds: listPage, "refunds/{id}": detailPage },
  actions: { "refunds/{id}/complete": complete, "refunds/{id}/fail": fail },
};
