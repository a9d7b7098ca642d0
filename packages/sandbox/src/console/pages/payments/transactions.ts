import { listEvents } from "../../../control/event-records.ts";
import type { FailureCode } from "../../../domain/payment-methods.ts";
import { type Html, html } from "../../../pages/html.ts";
import { readTransaction } from "../../../payments/transactions.ts";
import type { TransactionRow } from "../../../storage/payment-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton, selectField } from "../../components/forms.ts";
import {
  disputeListItem,
  eventListItem,
  failureText,
  refundListItem,
  transactionListItem,
} from "../../components/list-items.ts";
import { filterLinks, itemList, pagedList, parsePage, rowsPerPage, statusFilter } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageContext, PageHandler } from "../../components/section.ts";
import { refund, refundForm } from "./refund-form.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const status = query.get("status") ?? "";
  const transactions = await service.store.database
    .selectFrom("transactions")
    .selectAll()
    .$if(status !== "", (builder) => builder.where("status", "=", status as TransactionRow["status"]))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = transactions.map((transaction) => transactionListItem(request, transaction));
  const values = statusFilter(texts, ["pending", "completed", "failed"]);
  return {
    tab: "transactions",
    title: texts.tabs.transactions,
    main: html`<h1>${texts.tabs.transactions}</h1>
${filterLinks("transactions", request, { name: "status", values })}
${pagedList(request, { items, emptyText: texts.transactions.none })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, texts } = request;
  const { labels } = texts;
  const transaction = await readTransaction(service.store.database, id);
  const title = transaction.description ?? transaction.public_id;
  const { session_id, customer_id, currency_code } = transaction;
  const amount = (value: number) => amountText(request, value, currency_code);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("transactions")}">${texts.tabs.transactions}</a></p>
<h1>${title} ${badge(texts, transaction.status)}</h1>
<p class="key-figure">${amount(transaction.gross_amount)}</p>
${transaction.failure_message !== null && html`<p class="said problem">${failureText(texts, transaction)}</p>`}
${actionForms(request, transaction)}
${detailList({
  [labels.transaction]: idText(transaction.transaction_id),
  [labels.publicId]: idText(transaction.public_id),
  [labels.session]: session_id && html`<a href="${pageUrl("sessions", session_id)}">${session_id}</a>`,
  [labels.customer]: customer_id && html`<a href="${pageUrl("customers", customer_id)}">${customer_id}</a>`,
  [labels.memberAccount]: idText(transaction.account),
  [labels.environment]: texts.environments[transaction.environment],
  [labels.paidWith]: transaction.provider_code,
  [labels.started]: timeText(transaction.created_at),
  [labels.changed]: timeText(transaction.updated_at),
  [labels.fee]: amount(transaction.fee_amount),
  [labels.net]: amount(transaction.net_amount),
  [labels.refunded]: amount(transaction.refunded_amount),
})}
${await relatedRecords(request, transaction)}`;
  return { tab: "transactions", title, main };
};

/**
 * A pending or held transaction can be completed or failed, and an expired transaction can be completed late. A completed transaction
 * can be refunded, and disputed when it was paid by card, also after its refunds.
 */
function actionForms(context: PageContext, transaction: TransactionRow): Html | false {
  const { transactions } = context.texts;
  const { transaction_id, status, provider_code } = transaction;
  const page = pageUrl("transactions", transaction_id);
  if (status === "expired") {
    return html`<div class="control-form">${actionButton({ action: `${page}/complete`, label: transactions.completeLate })}</div>`;
  }
  if (status === "completed" || status === "refunded") {
    const isCard = provider_code === "CARD";
    return html`${refundForm(context, transaction)}${isCard && html`<div class="control-form">${actionButton({ action: `${page}/dispute`, label: transactions.openDispute, variant: "quiet" })}</div>`}`;
  }
  if (status !== "pending" && status !== "held") return false;
  return html`<div class="control-form">
${actionButton({ action: `${page}/complete`, label: transactions.complete })}
<form method="post" action="${page}/fail">${selectField({ name: "failure_code", label: transactions.reason, choices: transactions.failures })}<button class="quiet">${transactions.fail}</button></form>
</div>`;
}

async function relatedRecords(context: PageContext, transaction: TransactionRow): Promise<Html> {
  const { service, texts } = context;
  const { database } = service.store;
  const { transaction_id: transactionId, session_id: sessionId } = transaction;
  const newest = { limit: rowsPerPage, offset: 0 };
  const refunds = await database
    .selectFrom("refunds")
    .selectAll()
    .where("transaction_id", "=", transactionId)
    .orderBy("seq", "desc")
    .limit(rowsPerPage)
    .execute();
  const disputes = await database
    .selectFrom("disputes")
    .selectAll()
    .where("transaction_id", "=", transactionId)
    .orderBy("seq", "desc")
    .limit(rowsPerPage)
    .execute();
  const events = await listEvents(database, newest, { sessionId, transactionId });
  return html`<h2>${texts.tabs.events}</h2>${itemList(
    texts,
    events.items.map((event) => eventListItem(context, event)),
    texts.lists.none,
  )}
${
  refunds.length > 0 &&
  html`<h2>${texts.tabs.refunds}</h2>${itemList(
    texts,
    refunds.map((row) => refundListItem(context, row)),
    "",
  )}`
}
${
  disputes.length > 0 &&
  html`<h2>${texts.tabs.disputes}</h2>${itemList(
    texts,
    disputes.map((row) => disputeListItem(context, row)),
    "",
  )}`
}`;
}

const complete: ActionHandler = async ({ control, id }) => {
  await control.completeTransaction(id);
  return { to: pageUrl("transactions", id), flashMessage: "transaction-completed" };
};

const fail: ActionHandler = async ({ control, id, form }) => {
  await control.failTransaction(id, form.get("failure_code") as FailureCode);
  return { to: pageUrl("transactions", id), flashMessage: "transaction-failed" };
};

const dispute: ActionHandler = async ({ control, id }) => {
  await control.createDispute({ transaction_id: id });
  return { to: pageUrl("transactions", id), flashMessage: "dispute-opened" };
};

export const transactionSection: ConsoleSection = {
  pages: { transactions: listPage, "transactions/{id}": detailPage },
  actions: {
    "transactions/{id}/complete": complete,
    "transactions/{id}/fail": fail,
    "transactions/{id}/dispute": dispute,
    "transactions/{id}/refund": refund,
  },
};
