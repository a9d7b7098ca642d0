import { listDeliveries, listEvents } from "../control/records.ts";
import { type Html, html } from "../page/html.ts";
import type { Method } from "../payments/methods.ts";
import { offeredMethods } from "../payments/offered-methods.ts";
import { readOrganization } from "../payments/organizations.ts";
import { sessionByCode } from "../payments/pay.ts";
import { storedTerms } from "../payments/session-terms.ts";
import { checkoutUrl, readSession } from "../payments/sessions.ts";
import type { Service } from "../service/service.ts";
import type { SessionRow } from "../storage/tables.ts";
import { pageUrl } from "./address.ts";
import { badge } from "./badge.ts";
import { amountIn, facts, idText, timeText } from "./facts.ts";
import { button, select } from "./forms.ts";
import { deliveryItem, eventItem, sessionItem, transactionItem } from "./items.ts";
import { filter, pagedList, pageIn, rowList, rowsOnPage } from "./rows.ts";
import type { Act, Pages, Show } from "./visit.ts";

const list: Show = async ({ service, query }) => {
  const status = query.get("status") ?? "";
  const sessions = await service.store.rows
    .selectFrom("sessions")
    .selectAll()
    .$if(status !== "", (of) => of.where("status", "=", status as SessionRow["status"]))
    .orderBy("seq", "desc")
    .limit(pageIn(query).limit)
    .offset(pageIn(query).offset)
    .execute();
  const found = sessions.map((session) => sessionItem(service, session));
  const values = { "": "All", open: "Open", completed: "Completed", expired: "Expired" };
  return {
    tab: "sessions",
    title: "Sessions",
    main: html`<h1>Sessions</h1>
${filter("sessions", query, { name: "status", values })}
${pagedList(query, { found, none: "None: a session appears when a shop opens a checkout." })}`,
  };
};

const detail: Show = async ({ service, id }) => {
  const { rows } = service.store;
  const session = id.startsWith("cs_") ? await sessionByCode({ rows }, id) : await readSession(rows, id);
  const terms = storedTerms(session);
  const title = terms.title ?? "Untitled";
  const { customer_id } = session;
  const main = html`<p class="above"><a href="${pageUrl("sessions")}">Sessions</a></p>
<h1>${title} ${badge(session.status)}</h1>
<p class="sum">${amountIn(service, session.amount, session.currency_code)}</p>
${session.status === "open" && (await steering(service, session))}
${facts({
  Session: idText(session.session_id),
  "Hosted page": html`<a href="${checkoutUrl(service, session)}">${session.code}</a>`,
  Merchant: (await readOrganization(rows, session.organization_id)).name,
  "Member Account": idText(session.account),
  Environment: session.environment,
  Opened: timeText(service, session.created_at),
  Expires: timeText(service, session.expires_at),
  "Returns to": hostOf(terms.success_url),
  Customer: customer_id && html`<a href="${pageUrl("customers", customer_id)}">${customer_id}</a>`,
})}
${metadata(terms.metadata)}
${await aftermath(service, session)}`;
  return { tab: "sessions", title, main };
};

/** The rest of a return address may be the key to a shopper's order. */
function hostOf(url: string | null): string | null {
  return url === null || !URL.canParse(url) ? null : new URL(url).host;
}

function metadata(values: Record<string, unknown>): Html | false {
  const texts = Object.entries(values).map(([name, value]) => {
    return [name, idText(typeof value === "string" ? value : JSON.stringify(value))];
  });
  return texts.length > 0 && html`<h2>Metadata</h2>${facts(Object.fromEntries(texts))}`;
}

const methodNames: Record<Method, string> = { wave: "Wave", mtn: "MTN", card: "Card" };
const outcomes = {
  completed: "Completed",
  failed: "Failed",
  pending: "Pending",
  challenge: "Card: the bank asks",
};

async function steering(service: Service, session: SessionRow): Promise<Html> {
  const page = pageUrl("sessions", session.session_id);
  const offered = await offeredMethods(service.store.rows, service, session);
  const names = Object.fromEntries(offered.map((method) => [method, methodNames[method]]));
  return html`<div class="steer">
<form method="post" action="${page}/pay">${select("method", "Method", names)}${select("outcome", "Outcome", outcomes)}<button>Pay</button></form>
${button(`${page}/expire`, "Expire now", "quiet")}
</div>`;
}

/** What came of a session: transactions, events, deliveries. */
async function aftermath(service: Service, { session_id: sessionId }: SessionRow): Promise<Html> {
  const { rows } = service.store;
  const newest = { limit: rowsOnPage, offset: 0 };
  const transactions = await rows
    .selectFrom("transactions")
    .selectAll()
    .where("session_id", "=", sessionId)
    .orderBy("seq", "desc")
    .limit(rowsOnPage)
    .execute();
  const events = await listEvents(rows, newest, { sessionId });
  const deliveries = await listDeliveries(rows, newest, { sessionId });
  const lists = [
    {
      title: "Transactions",
      found: transactions.map((one) => transactionItem(service, one)),
      none: "Nobody has tried to pay yet.",
    },
    { title: "Events", found: events.items.map((one) => eventItem(service, one)), none: "None." },
    {
      title: "Deliveries",
      found: deliveries.items.map((one) => deliveryItem(service, one)),
      none: "None: no endpoint was subscribed.",
    },
  ];
  return html`${lists.map(({ title, found, none }) => html`<h2>${title}</h2>${rowList(found, none)}`)}${
    events.total > rowsOnPage &&
    html`<p><a href="${pageUrl("events")}?session=${sessionId}">All ${events.total} events of this session</a></p>`
  }`;
}

const pay: Act = async ({ control, id, form }) => {
  const { method, outcome } = Object.fromEntries(form) as Parameters<typeof control.paySession>[1];
  await control.paySession(id, { method, outcome });
  return { to: pageUrl("sessions", id), notice: "paid" };
};

const expire: Act = async ({ control, id }) => {
  await control.expireSession(id);
  return { to: pageUrl("sessions", id), notice: "expired" };
};

export const sessionPages: Pages = {
  shows: { sessions: list, "sessions/{id}": detail },
  acts: { "sessions/{id}/pay": pay, "sessions/{id}/expire": expire },
};
