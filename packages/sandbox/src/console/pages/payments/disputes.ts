import { type Html, html } from "../../../pages/html.ts";
import { readDispute } from "../../../reversals/dispute-records.ts";
import type { DisputeRow } from "../../../storage/money-tables.ts";
import { badge } from "../../components/badge.ts";
import { detailList, idText, timeText } from "../../components/details.ts";
import { selectField, textField } from "../../components/forms.ts";
import { disputedAmountText, disputeListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsolePageRequest, ConsoleSection, PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const disputes = await service.store.database
    .selectFrom("disputes")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = disputes.map((dispute) => disputeListItem(request, dispute));
  const emptyText = texts.disputes.none;
  const title = texts.tabs.disputes;
  return { tab: "disputes", title, main: html`<h1>${title}</h1>${pagedList(request, { items, emptyText })}` };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, texts } = request;
  const { labels } = texts;
  const dispute = await readDispute(service.store.database, id);
  const title = texts.disputeReason(dispute.reason);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("disputes")}">${texts.tabs.disputes}</a></p>
<h1>${title} ${badge(texts, dispute.outcome ?? dispute.status)}</h1>
<p class="key-figure">${disputedAmountText(request, dispute)}</p>
${dispute.outcome === null && closeForm(request, dispute)}${dispute.status !== "closed" && evidenceForm(request)}
${detailList({
  [labels.dispute]: idText(dispute.dispute_id),
  [labels.transaction]: html`<a href="${pageUrl("transactions", dispute.transaction_id)}">${dispute.transaction_id}</a>`,
  [labels.environment]: texts.environments[dispute.environment],
  [labels.opened]: timeText(dispute.created_at),
  [labels.updated]: timeText(dispute.updated_at),
  [labels.evidenceDueBy]: timeText(dispute.evidence_due_by),
  [labels.evidenceSubmitted]: dispute.evidence_submitted_at && timeText(dispute.evidence_submitted_at),
})}
${evidenceSection(texts, dispute)}`;
  return { tab: "disputes", title, main };
};

function closeForm({ id, texts: { disputes } }: ConsolePageRequest, { status }: DisputeRow): Html {
  const outcomes = { ...disputes.outcomes, ...(status !== "closed" && { none: disputes.noOutcome }) };
  return html`<form method="post" action="${pageUrl("disputes", id)}/close" class="control-form">${selectField({ name: "outcome", label: disputes.outcome, choices: outcomes })}<button>${disputes.close}</button></form>`;
}

function evidenceForm({ id, texts: { disputes } }: ConsolePageRequest): Html {
  return html`<form method="post" action="${pageUrl("disputes", id)}/evidence" class="control-form">${textField({ name: "name", label: disputes.evidence, value: "receipt" })}${textField({ name: "text", label: disputes.text, value: "" })}<button class="quiet">${disputes.submit}</button></form>`;
}

function evidenceSection({ disputes }: ConsoleTexts, { evidence_json }: DisputeRow): Html | false {
  return evidence_json !== null && html`<h2>${disputes.evidence}</h2>${detailList(JSON.parse(evidence_json))}`;
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
