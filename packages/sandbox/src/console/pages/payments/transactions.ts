import { listEvents } from "../../../control/event-records.ts";
import { type FailureCode, failureMessages } from "../../../domain/payment-methods.ts";
import { type Html, html } from "../../../pages/html.ts";
import { readTransaction } from "../../../payments/transactions.ts";
import type { Service } from "../../../runtime/service.ts";
import type { TransactionRow } from "../../../storage/payment-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton, selectField } from "../../components/forms.ts";
import { disputeListItem, eventListItem, refundListItem, transactionListItem } from "../../components/list-items.ts";
import { filterLinks, itemList, pagedList, parsePage, rowsPerPage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import { refund, refundForm } from "./refund-form.ts";

const listPage: PageHandler = async ({ service, query }) => {
  const status = query.get("status") ?? "";
  const transactions = await service.store.database
    .selectFrom("transactions")
    .selectAll()
    .$if(status !== "", (builder) => builder.where("status", "=", status as TransactionRow["status"]))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = transactions.map((transaction) => transactionListItem(service, transaction));
  const values = { "": "All", pending: "Pending", completed: "Completed", failed: "Failed" };
  return {
    tab: "transactions",
    title: "Transactions",
    main: html`<h1>Transactions</h1>
${filterLinks("transactions", query, { name: "status", values })}
${pagedList(query, { items, emptyText: "None: a transaction appears with every attempt to pay." })}`,
  };
};

const detailPage: PageHandler = async ({ service, id }) => {
  const transaction = await readTransaction(service.store.database, id);
  const title = transaction.description ?? transaction.public_id;
  const { session_id, customer_id, currency_code } = transaction;
  const amount = (value: number) => amountText(service, value, currency_code);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("transactions")}">Transactions</a></p>
<h1>${title} ${badge(transaction.status)}</h1>
<p class="key-figure">${amount(transaction.gross_amount)}</p>
${transaction.failure_message !== null && html`<p class="said problem">${transaction.failure_message}</p>`}
${actionForms(service, transaction)}
${detailList({
  Transaction: idText(transaction.transaction_id),
  "Public id": idText(transaction.public_id),
  Session: session_id && html`<a href="${pageUrl("sessions", session_id)}">${session_id}</a>`,
  Customer: customer_id && html`<a href="${pageUrl("customers", customer_id)}">${customer_id}</a>`,
  "Member Account": idText(transaction.account),
  Environment: transaction.environment,
  "Paid with": transaction.provider_code,
  Started: timeText(transaction.created_at),
  Changed: timeText(transaction.updated_at),
  Fee: amount(transaction.fee_amount),
  Net: amount(transaction.net_amount),
  Refunded: amount(transaction.refunded_amount),
})}
${await relatedRecords(service, transaction)}`;
  return { tab: "transactions", title, main };
};

/**
 * A pending or held transaction can be completed or failed, and an expired transaction can be completed late. A completed transaction
 * can be refunded, and disputed when it was paid by card, also after its refunds.
 */
function actionForms(service: Service, transaction: TransactionRow): Html | false {
  const { transaction_id, status, provider_code } = transaction;
  const page = pageUrl("transactions", transaction_id);
  if (status === "expired") {
    return html`<div class="control-form">${actionButton({ action: `${page}/complete`, label: "Complete late" })}</div>`;
  }
  if (status === "completed" || status === "refunded") {
    const isCard = provider_code === "CARD";
    return html`${refundForm(service, transaction)}${isCard && html`<div class="control-form">${actionButton({ action: `${page}/dispute`, label: "Open a dispute", variant: "quiet" })}</div>`}`;
  }
  if (status !== "pending" && status !== "held") return false;
  return html`<div class="control-form">
${actionButton({ action: `${page}/complete`, label: "Complete" })}
<form method="post" action="${page}/fail">${selectField({ name: "failure_code", label: "Reason", choices: failureMessages })}<button class="quiet">Fail</button></form>
</div>`;
}

async function relatedRecords(service: Service, transaction: TransactionRow): Promise<Html> {
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
  return html`<h2>Events</h2>${itemList(
    events.items.map((event) => eventListItem(event)),
    "None.",
  )}
${
  refunds.length > 0 &&
  html`<h2>Refunds</h2>${itemList(
    refunds.map((row) => refundListItem(service, row)),
    "",
  )}`
}
${
  disputes.length > 0 &&
  html`<h2>Disputes</h2>${itemList(
    disputes.map((row) => disputeListItem(service, row)),
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
