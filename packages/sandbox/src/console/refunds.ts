import { html } from "../page/html.ts";
import { readRefund } from "../refunds/refunds.ts";
import { pageUrl } from "./address.ts";
import { badge } from "./badge.ts";
import { amountIn, facts, idText, timeText } from "./facts.ts";
import { button } from "./forms.ts";
import { refundItem } from "./items.ts";
import { pagedList, pageIn } from "./rows.ts";
import type { Act, Pages, Show } from "./visit.ts";

const list: Show = async ({ service, query }) => {
  const refunds = await service.store.rows
    .selectFrom("refunds")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(pageIn(query).limit)
    .offset(pageIn(query).offset)
    .execute();
  const found = refunds.map((refund) => refundItem(service, refund));
  const none = "None: a refund appears when a merchant gives money back.";
  return { tab: "refunds", title: "Refunds", main: html`<h1>Refunds</h1>${pagedList(query, { found, none })}` };
};

const detail: Show = async ({ service, id }) => {
  const refund = await readRefund(service.store.rows, id);
  const title = refund.reason ?? "Refund";
  const main = html`<p class="above"><a href="${pageUrl("refunds")}">Refunds</a></p>
<h1>${title} ${badge(refund.status)}</h1>
<p class="sum">${amountIn(service, refund.amount, refund.currency_code)}</p>
${refund.failure_message !== null && html`<p class="said problem">${refund.failure_message}</p>`}
${refund.status === "pending" && html`<div class="steer">${button(`${pageUrl("refunds", id)}/complete`, "Complete")}${button(`${pageUrl("refunds", id)}/fail`, "Fail", "quiet")}</div>`}
${facts({
  Refund: idText(refund.refund_id),
  Transaction: html`<a href="${pageUrl("transactions", refund.transaction_id)}">${refund.transaction_id}</a>`,
  "Member Account": idText(refund.account),
  Environment: refund.environment,
  Created: timeText(service, refund.created_at),
  Changed: timeText(service, refund.updated_at),
})}`;
  return { tab: "refunds", title, main };
};

const complete: Act = async ({ control, id }) => {
  await control.completeRefund(id);
  return { to: pageUrl("refunds", id), notice: "completed" };
};

const fail: Act = async ({ control, id }) => {
  await control.failRefund(id);
  return { to: pageUrl("refunds", id), notice: "failed" };
};

export const refundPages: Pages = {
  shows: { refunds: list, "refunds/{id}": detail },
  acts: { "refunds/{id}/complete": complete, "refunds/{id}/fail": fail },
};
