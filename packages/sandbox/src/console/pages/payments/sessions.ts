import { parseUrl } from "@tillkit/client";
import { listDeliveries } from "../../../control/delivery-records.ts";
import { listEvents } from "../../../control/event-records.ts";
import type { PayRequest } from "../../../control/pay-as-shopper.ts";
import { readOrganization } from "../../../organizations/organizations.ts";
import { type Html, html } from "../../../pages/html.ts";
import { offeredMethods } from "../../../payments/offered-methods.ts";
import { readSessionDetails } from "../../../payments/session-details.ts";
import { checkoutUrl, readSession } from "../../../payments/sessions.ts";
import { readTransaction } from "../../../payments/transactions.ts";
import type { SessionRow } from "../../../storage/payment-tables.ts";
import { badge } from "../../components/badge.ts";
import { amountText, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton, selectField } from "../../components/forms.ts";
import { deliveryListItem, eventListItem, sessionListItem, transactionListItem } from "../../components/list-items.ts";
import { filterLinks, itemList, pagedList, parsePage, rowsPerPage, statusFilter } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageContext, PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";
import { newSessionPage, openSession } from "./new-session.ts";
import { refundForm } from "./refund-form.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const status = query.get("status") ?? "";
  const sessions = await service.store.database
    .selectFrom("sessions")
    .selectAll()
    .$if(status !== "", (builder) => builder.where("status", "=", status as SessionRow["status"]))
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = sessions.map((session) => sessionListItem(request, session));
  const values = statusFilter(texts, ["open", "completed", "expired"]);
  return {
    tab: "sessions",
    title: texts.tabs.sessions,
    main: html`<h1>${texts.tabs.sessions}</h1>
<p><a class="button" href="${pageUrl("sessions", "new")}">${texts.sessions.new}</a></p>
${filterLinks("sessions", request, { name: "status", values })}
${pagedList(request, { items, emptyText: texts.sessions.none })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, texts } = request;
  const { labels } = texts;
  const { database } = service.store;
  const session = await readSession(database, id);
  const details = readSessionDetails(session);
  const title = details.title ?? texts.lists.untitled;
  const { customer_id } = session;
  const main = html`<p class="breadcrumb"><a href="${pageUrl("sessions")}">${texts.tabs.sessions}</a></p>
<h1>${title} ${badge(texts, session.status)}</h1>
<p class="key-figure">${amountText(request, session.amount, session.currency_code)}</p>
${await actionForms(request, session)}
${detailList({
  [labels.session]: idText(session.session_id),
  [labels.hostedPage]: html`<a href="${checkoutUrl(service, session)}">${session.code}</a>`,
  [labels.merchant]: (await readOrganization(database, session.organization_id)).name,
  [labels.memberAccount]: idText(session.account),
  [labels.environment]: texts.environments[session.environment],
  [labels.opened]: timeText(session.created_at),
  [labels.expires]: timeText(session.expires_at),
  [labels.returnsTo]: hostOf(details.success_url),
  [labels.customer]: customer_id && html`<a href="${pageUrl("customers", customer_id)}">${customer_id}</a>`,
})}
${metadataSection(texts, details.metadata)}
${await relatedRecords(request, session)}`;
  return { tab: "sessions", title, main };
};

/** The path of a return URL can give access to the order of a shopper, so only the host is shown. */
function hostOf(url: string | null): string | null {
  return url === null ? null : (parseUrl(url)?.host ?? null);
}

function metadataSection({ sessions }: ConsoleTexts, values: Record<string, unknown>): Html | false {
  const texts = Object.entries(values).map(([name, value]) => {
    return [name, idText(typeof value === "string" ? value : JSON.stringify(value))];
  });
  return texts.length > 0 && html`<h2>${sessions.metadata}</h2>${detailList(Object.fromEntries(texts))}`;
}

/** An open session can be paid and expired. A paid session can be refunded. */
async function actionForms(context: PageContext, session: SessionRow): Promise<Html | false> {
  if (session.status === "completed" && session.transaction_id !== null) {
    return refundForm(context, await readTransaction(context.service.store.database, session.transaction_id));
  }
  return session.status === "open" && paymentForms(context, session);
}

async function paymentForms({ service, texts: { sessions } }: PageContext, session: SessionRow): Promise<Html> {
  const page = pageUrl("sessions", session.session_id);
  const offered = await offeredMethods(service.store.database, service, session);
  const names = Object.fromEntries(offered.map((method) => [method, sessions.methods[method]]));
  return html`<div class="control-form">
<form method="post" action="${page}/pay">${selectField({ name: "method", label: sessions.method, choices: names })}<button name="outcome" value="completed">${sessions.pay}</button><button name="outcome" value="failed" class="quiet">${sessions.fail}</button><button name="outcome" value="pending" class="quiet">${sessions.leavePending}</button>${offered.includes("card") && html`<button name="outcome" value="challenge" class="quiet">${sessions.challenge}</button>`}</form>
${actionButton({ action: `${page}/expire`, label: sessions.expireNow, variant: "quiet" })}
</div>`;
}

/** The transactions, events and deliveries of a session. */
async function relatedRecords(context: PageContext, { session_id: sessionId }: SessionRow): Promise<Html> {
  const { service, texts } = context;
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
      title: texts.tabs.transactions,
      items: transactions.map((transaction) => transactionListItem(context, transaction)),
      emptyText: texts.sessions.notTried,
    },
    {
      title: texts.tabs.events,
      items: events.items.map((event) => eventListItem(context, event)),
      emptyText: texts.lists.none,
    },
    {
      title: texts.tabs.deliveries,
      items: deliveries.items.map((delivery) => deliveryListItem(context, delivery)),
      emptyText: events.total === 0 ? texts.sessions.noEvent : texts.events.noSubscriber,
    },
  ];
  return html`${lists.map(({ title, items, emptyText }) => html`<h2>${title}</h2>${itemList(texts, items, emptyText)}`)}${
    events.total > rowsPerPage &&
    html`<p><a href="${pageUrl("events")}?session=${sessionId}">${texts.sessions.allEvents(events.total)}</a></p>`
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
