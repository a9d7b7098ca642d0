import { html } from "../../../pages/html.ts";
import { readRefund } from "../../../reversals/refunds.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton } from "../../components/forms.ts";
import { refundListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const refunds = await service.store.database
    .selectFrom("refunds")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = refunds.map((refund) => refundListItem(request, refund));
  const emptyText = texts.refunds.none;
  const title = texts.tabs.refunds;
  return { tab: "refunds", title, main: html`<h1>${title}</h1>${pagedList(request, { items, emptyText })}` };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, texts } = request;
  const { labels, refunds } = texts;
  const refund = await readRefund(service.store.database, id);
  const title = refund.reason ?? texts.lists.refund;
  const main = html`<p class="breadcrumb"><a href="${pageUrl("refunds")}">${texts.tabs.refunds}</a></p>
<h1>${title} ${badge(texts, refund.status)}</h1>
<p class="key-figure">${amountText(request, refund.amount, refund.currency_code)}</p>
${refund.failure_message !== null && html`<p class="said problem">${refunds.rejected}</p>`}
${refund.status === "pending" && html`<div class="control-form">${actionButton({ action: `${pageUrl("refunds", id)}/complete`, label: refunds.complete })}${actionButton({ action: `${pageUrl("refunds", id)}/fail`, label: refunds.fail, variant: "quiet" })}</div>`}
${detailList({
  [labels.refund]: idText(refund.refund_id),
  [labels.transaction]: html`<a href="${pageUrl("transactions", refund.transaction_id)}">${refund.transaction_id}</a>`,
  [labels.memberAccount]: idText(refund.account),
  [labels.environment]: texts.environments[refund.environment],
  [labels.created]: timeText(refund.created_at),
  [labels.changed]: timeText(refund.updated_at),
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
