import { parseUrl } from "@tillkit/client";
import { listDeliveries } from "../../../control/delivery-records.ts";
import { listEvents } from "../../../control/event-records.ts";
import type { PayRequest } from "../../../control/pay-as-shopper.ts";
import type { PaymentMethod } from "../../../domain/payment-methods.ts";
import { readOrganization } from "../../../organizations/organizations.ts";
import { type Html, html } from "../../../pages/html.ts";
import { offeredMethods } from "../../../payments/offered-methods.ts";
import { readSessionDetails } from "../../../payments/session-details.ts";
import { checkoutUrl, readSession } from "../../../payments/sessions.ts";
import { readTransaction } from "../../../payments/transactions.ts";
import type { Service } from "../../../runtime/service.ts";
import type { SessionRow } from "../../../storage/payment-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton, selectField } from "../../components/forms.ts";
import { deliveryListItem, eventListItem, sessionListItem, transactionListItem } from "../../components/list-items.ts";
import { filterLinks, itemList, pagedList, parsePage, rowsPerPage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import { newSessionPage, openSession } from "./new-session.ts";
import { refundForm } from "./refund-form.ts";

const listPage: PageHandler = async ({ service, query }) => {
  const status = query.get("status") ?? "";
  const sessions = await service.store.database
    .selectFrom("sessions")
    .selectAll()
    .$if(status !== "", (builder) => builder.where("status", "=", status as SessionRow["status"]))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = sessions.map((session) => sessionListItem(service, session));
  const values = { "": "All", open: "Open", completed: "Completed", expired: "Expired" };
  return {
    tab: "sessions",
    title: "Sessions",
    main: html`<h1>Sessions</h1>
<p><a class="button" href="${pageUrl("sessions", "new")}">New session</a></p>
${filterLinks("sessions", query, { name: "status", values })}
${pagedList(query, { items, emptyText: "None: a session appears when a shop opens a checkout." })}`,
  };
};

const detailPage: PageHandler = async ({ service, id }) => {
  const { database } = service.store;
  const session = await readSession(database, id);
  const details = readSessionDetails(session);
  const title = details.title ?? "Untitled";
  const { customer_id } = session;
  const main = html`<p class="breadcrumb"><a href="${pageUrl("sessions")}">Sessions</a></p>
<h1>${title} ${badge(session.status)}</h1>
<p class="key-figure">${amountText(service, session.amount, session.currency_code)}</p>
${await actionForms(service, session)}
${detailList({
  Session: idText(session.session_id),
  "Hosted page": html`<a href="${checkoutUrl(service, session)}">${session.code}</a>`,
  Merchant: (await readOrganization(database, session.organization_id)).name,
  "Member Account": idText(session.account),
  Environment: session.environment,
  Opened: timeText(session.created_at),
  Expires: timeText(session.expires_at),
  "Returns to": hostOf(details.success_url),
  Customer: customer_id && html`<a href="${pageUrl("customers", customer_id)}">${customer_id}</a>`,
})}
${metadataSection(details.metadata)}
${await relatedRecords(service, session)}`;
  return { tab: "sessions", title, main };
};

/** The path of a return URL can give access to the order of a shopper, so only the host is shown. */
function hostOf(url: string | null): string | null {
  return url === null ? null : (parseUrl(url)?.host ?? null);
}

function metadataSection(values: Record<string, unknown>): Html | false {
  const texts = Object.entries(values).map(([name, value]) => {
    return [name, idText(typeof value === "string" ? value : JSON.stringify(value))];
  });
  return texts.length > 0 && html`<h2>Metadata</h2>${detailList(Object.fromEntries(texts))}`;
}

const methodNames: Record<PaymentMethod, string> = { wave: "Wave", mtn: "MTN", card: "Card" };

/** An open session can be paid and expired. A paid session can be refunded. */
async function actionForms(service: Service, session: SessionRow): Promise<Html | false> {
  if (session.status === "completed" && session.transaction_id !== null) {
    return refundForm(service, await readTransaction(service.store.database, session.transaction_id));
  }
  return session.status === "open" && paymentForms(service, session);
}

async function paymentForms(service: Service, session: SessionRow): Promise<Html> {
  const page = pageUrl("sessions", session.session_id);
  const offered = await offeredMethods(service.store.database, service, session);
  const names = Object.fromEntries(offered.map((method) => [method, methodNames[method]]));
  return html`<div class="control-form">
<form method="post" action="${page}/pay">${selectField({ name: "method", label: "Method", choices: names })}<button name="outcome" value="completed">Pay</button><button name="outcome" value="failed" class="quiet">Fail</button><button name="outcome" value="pending" class="quiet">Leave pending</button>${offered.includes("card") && html`<button name="outcome" value="challenge" class="quiet">Card challenge</button>`}</form>
${actionButton({ action: `${page}/expire`, label: "Expire now", variant: "quiet" })}
</div>`;
}

/** The transactions, events and deliveries of a session. */
async function relatedRecords(service: Service, { session_id: sessionId }: SessionRow): Promise<Html> {
  const { database } = service.store;
  const newest = { limit: rowsPerPage, offset: 0 };
  const transactions = await database
    .selectFrom("transactions")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("seq", "desc")
    .limit(rowsPerPage)
    .execute();
  const events = await listEvents(database, newest, { sessionId });
  const deliveries = await listDeliveries(database, newest, { sessionId });
  const lists = [
    {
      title: "Transactions",
      items: transactions.map((transaction) => transactionListItem(service, transaction)),
      emptyText: "None: the shopper has not tried to pay yet.",
    },
    { title: "Events", items: events.items.map((event) => eventListItem(event)), emptyText: "None." },
    {
      title: "Deliveries",
      items: deliveries.items.map((delivery) => deliveryListItem(delivery)),
      emptyText: events.total === 0 ? "None: no event happened yet." : "None: no endpoint was subscribed.",
    },
  ];
  return html`${lists.map(({ title, items, emptyText }) => html`<h2>${title}</h2>${itemList(items, emptyText)}`)}${
    events.total > rowsPerPage &&
    html`<p><a href="${pageUrl("events")}?session=${sessionId}">All ${events.total} events of this session</a></p>`
  }`;
}

const pay: ActionHandler = async ({ control, id, form }) => {
  const { method, outcome } = Object.fromEntries(form) as Pick<PayRequest, "method" | "outcome">;
  await control.paySession(id, { method, outcome });
  return { to: pageUrl("sessions", id), flashMessage: "paid" };
};

const expire: ActionHandler = async ({ control, id }) => {
  await control.expireSession(id);
  return { to: pageUrl("sessions", id), flashMessage: "expired" };
};

export const sessionSection: ConsoleSection = {
  pages: { sessions: listPage, "sessions/new": newSessionPage, "sessions/{id}": detailPage },
  actions: { "sessions/new": openSession, "sessions/{id}/pay": pay, "sessions/{id}/expire": expire },
};
