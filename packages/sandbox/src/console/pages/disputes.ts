import { notFound } from "../../domain/api-error.ts";
import { type Html, html } from "../../pages/html.ts";
import { badge } from "../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../components/details.ts";
import { select } from "../components/forms.ts";
import { disputeListItem } from "../components/list-items.ts";
import { pagedList, parsePage } from "../components/lists.ts";
import { pageUrl } from "../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../components/section.ts";

const list: PageHandler = async ({ service, query }) => {
  const disputes = await service.store.database
    .selectFrom("disputes")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = disputes.map((dispute) => disputeListItem(service, dispute));
  const emptyText = "No disputes yet. A dispute appears here when the cardholder's bank reverses a payment.";
  return { tab: "disputes", title: "Disputes", main: html`<h1>Disputes</h1>${pagedList(query, { items, emptyText })}` };
};

const detail: PageHandler = async ({ service, id }) => {
  const dispute = await service.store.database
    .selectFrom("disputes")
    .selectAll()
    .where("dispute_id", "=", id)
    .executeTakeFirst();
  if (dispute === undefined) throw notFound("Dispute");
  const title = dispute.reason.replaceAll("_", " ");
  const main = html`<p class="breadcrumb"><a href="${pageUrl("disputes")}">Disputes</a></p>
<h1>${title} ${badge(dispute.outcome ?? dispute.status)}</h1>
<p class="key-figure">${amountText(service, dispute.amount, dispute.currency_code)}</p>
${dispute.status !== "closed" && closeForm(id)}
${detailList({
  Dispute: idText(dispute.dispute_id),
  Transaction: html`<a href="${pageUrl("transactions", dispute.transaction_id)}">${dispute.transaction_id}</a>`,
  Environment: dispute.environment,
  Opened: timeText(service, dispute.created_at),
  Updated: timeText(service, dispute.updated_at),
  "Evidence due by": timeText(service, dispute.evidence_due_by),
})}`;
  return { tab: "disputes", title, main };
};

function closeForm(disputeId: string): Html {
  const outcomes = { won: "Won", lost: "Lost" };
  return html`<form method="post" action="${pageUrl("disputes", disputeId)}/close" class="control-form">${select("outcome", "Outcome", outcomes)}<button>Close dispute</button></form>`;
}

const close: ActionHandler = async ({ control, id, form }) => {
  await control.closeDispute(id, { outcome: form.get("outcome") === "won" ? "won" : "lost" });
  return { to: pageUrl("disputes", id), flashMessage: "closed" };
};

export const disputeSection: ConsoleSection = {
  pages: { disputes: list, "disputes/{id}": detail },
  actions: { "disputes/{id}/close": close },
};
