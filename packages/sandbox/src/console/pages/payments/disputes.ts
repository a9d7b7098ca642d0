import { type Html, html } from "../../../pages/html.ts";
import { readDispute } from "../../../reversals/dispute-records.ts";
import type { DisputeRow } from "../../../storage/money-tables.ts";
import { badge } from "../../components/badge.ts";
import { detailList, idText, timeText } from "../../components/details.ts";
import { selectField, textField } from "../../components/forms.ts";
import { disputedAmountText, disputeListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";

const listPage: PageHandler = async ({ service, query }) => {
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

const detailPage: PageHandler = async ({ service, id }) => {
  const dispute = await readDispute(service.store.database, id);
  const title = dispute.reason.replaceAll("_", " ");
  const main = html`<p class="breadcrumb"><a href="${pageUrl("disputes")}">Disputes</a></p>
<h1>${title} ${badge(dispute.outcome ?? dispute.status)}</h1>
<p class="key-figure">${disputedAmountText(service, dispute)}</p>
${dispute.outcome === null && closeForm(id, dispute)}${dispute.status !== "closed" && evidenceForm(id)}
${detailList({
  Dispute: idText(dispute.dispute_id),
  Transaction: html`<a href="${pageUrl("transactions", dispute.transaction_id)}">${dispute.transaction_id}</a>`,
  Environment: dispute.environment,
  Opened: timeText(dispute.created_at),
  Updated: timeText(dispute.updated_at),
  "Evidence due by": timeText(dispute.evidence_due_by),
  "Evidence submitted": dispute.evidence_submitted_at && timeText(dispute.evidence_submitted_at),
})}
${evidenceSection(dispute)}`;
  return { tab: "disputes", title, main };
};

function closeForm(disputeId: string, { status }: DisputeRow): Html {
  const outcomes = { won: "Won", lost: "Lost", ...(status !== "closed" && { none: "None" }) };
  return html`<form method="post" action="${pageUrl("disputes", disputeId)}/close" class="control-form">${selectField({ name: "outcome", label: "Outcome", choices: outcomes })}<button>Close dispute</button></form>`;
}

function evidenceForm(disputeId: string): Html {
  return html`<form method="post" action="${pageUrl("disputes", disputeId)}/evidence" class="control-form">${textField({ name: "name", label: "Evidence", value: "receipt" })}${textField({ name: "text", label: "Text", value: "" })}<button class="quiet">Submit evidence</button></form>`;
}

function evidenceSection({ evidence_json }: DisputeRow): Html | false {
  return evidence_json !== null && html`<h2>Evidence</h2>${detailList(JSON.parse(evidence_json))}`;
}

const submit: ActionHandler = async ({ control, id, form }) => {
  await control.updateDispute(id, { evidence: { [form.get("name") ?? ""]: form.get("text") ?? "" } });
  return { to: pageUrl("disputes", id), flashMessage: "evidence-submitted" };
};

const close: ActionHandler = async ({ control, id, form }) => {
  const chosen = form.get("outcome");
  await control.closeDispute(id, { outcome: chosen === "won" || chosen === "lost" ? chosen : null });
  return { to: pageUrl("disputes", id), flashMessage: "dispute-closed" };
};

export const disputeSection: ConsoleSection = {
  pages: { disputes: listPage, "disputes/{id}": detailPage },
  actions: { "disputes/{id}/close": close, "disputes/{id}/evidence": submit },
};
