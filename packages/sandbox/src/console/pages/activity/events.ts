import { type AttemptRecord, listDeliveries } from "../../../control/delivery-records.ts";
import { listEvents } from "../../../control/event-records.ts";
import { sessionIdOf } from "../../../control/session-records.ts";
import { notFound } from "../../../domain/api-error.ts";
import { type Html, html } from "../../../pages/html.ts";
import { codeBlock, detailList, idText, timeText } from "../../components/details.ts";
import { actionButton } from "../../components/forms.ts";
import { deliveryListItem, eventListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";

/** The page shows this many characters of a body. */
const MAX_BODY_LENGTH = 16_384;

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  // `session` is the UUID of a session or its code `cs_…`; the events are stored with the UUID.
  const sessionId = await sessionIdOf(service.store.database, query.get("session"));
  const events = await listEvents(service.store.database, parsePage(query), { sessionId });
  const items = events.items.map((event) => eventListItem(request, event));
  const sessionLink =
    sessionId === null
      ? null
      : html`<p>${texts.events.ofSession} <a href="${pageUrl("sessions", sessionId)}">${sessionId}</a></p>`;
  const emptyText = texts.events.none;
  return {
    tab: "events",
    title: texts.tabs.events,
    main: html`<h1>${texts.tabs.events}</h1>${sessionLink}${pagedList(request, { items, emptyText })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, query, texts } = request;
  const { labels, events } = texts;
  const { database } = service.store;
  const [event] = (await listEvents(database, { limit: 1, offset: 0 }, { eventId: id })).items;
  if (event === undefined) throw notFound("Event");
  const { items: deliveries } = await listDeliveries(database, parsePage(query), { eventId: id });
  const { checkout_session_id: sessionId, transaction_id: transactionId } = event;
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("events")}">${texts.tabs.events}</a></p>
<h1 class="code">${event.event}</h1>
${actionButton({ action: `${pageUrl("events", id)}/deliver`, label: events.sendAgain, variant: "quiet" })}
${detailList({
  [labels.event]: idText(event.id),
  [labels.happened]: timeText(event.created_at),
  [labels.order]: event.description,
  [labels.environment]: texts.environments[event.environment],
  [labels.session]: sessionId && html`<a href="${pageUrl("sessions", sessionId)}">${sessionId}</a>`,
  [labels.transaction]: transactionId && html`<a href="${pageUrl("transactions", transactionId)}">${transactionId}</a>`,
})}
<h2>${texts.tabs.deliveries}</h2>
${pagedList(request, { items: deliveries.map((delivery) => deliveryListItem(request, delivery)), emptyText: events.noSubscriber })}
${lastSentMessage(texts, newest(attempts))}
<h2>${events.data}</h2>
<details id="data"><summary>${events.formatted}</summary>${codeBlock(texts, "data-text", JSON.stringify(event.data, null, 2))}</details>`;
  return { tab: "events", title: event.event, main };
};

function newest(attempts: readonly AttemptRecord[]): AttemptRecord | undefined {
  return [...attempts].sort((one, other) => other.created_at.localeCompare(one.created_at))[0];
}

/** The body of the newest attempt as it was sent, up to `MAX_BODY_LENGTH`, with its signature. */
function lastSentMessage(texts: ConsoleTexts, attempt: AttemptRecord | undefined): Html | false {
  if (attempt === undefined) return false;
  return html`<h2>${texts.events.lastSent}</h2>
<h3>${texts.events.signature}</h3>${codeBlock(texts, "signature", attempt.headers["X-Service-Signature"] ?? "")}
<h3>${texts.events.body}</h3>${codeBlock(texts, "body", attempt.payload, MAX_BODY_LENGTH)}`;
}

const deliver: ActionHandler = async ({ control, id }) => {
  const { deliveries } = await control.deliverEvent(id);
  return { to: pageUrl("events", id), flashMessage: deliveries.length === 0 ? "no-subscriber" : "sent" };
};

export const eventSection: ConsoleSection = {
  pages: { events: listPage, "events/{id}": detailPage },
  actions: { "events/{id}/deliver": deliver },
};
