import { type AttemptRecord, listDeliveries, listEvents } from "../control/records.ts";
import { type Html, html } from "../page/html.ts";
import { notFound } from "../service/refusal.ts";
import { pageUrl } from "./address.ts";
import { exact, facts, idText, timeText } from "./facts.ts";
import { button } from "./forms.ts";
import { deliveryItem, eventItem } from "./items.ts";
import { pagedList, pageIn } from "./rows.ts";
import type { Act, Pages, Show } from "./visit.ts";

const list: Show = async ({ service, query }) => {
  const sessionId = query.get("session");
  const { items } = await listEvents(service.store.rows, pageIn(query), sessionId === null ? {} : { sessionId });
  const found = items.map((event) => eventItem(service, event));
  const of =
    sessionId === null ? null : html`<p>Of session <a href="${pageUrl("sessions", sessionId)}">${sessionId}</a></p>`;
  const none = "None: an event appears when a payment begins, succeeds or fails.";
  return { tab: "events", title: "Events", main: html`<h1>Events</h1>${of}${pagedList(query, { found, none })}` };
};

const detail: Show = async ({ service, id, query }) => {
  const { rows } = service.store;
  const [event] = (await listEvents(rows, { limit: 1, offset: 0 }, { eventId: id })).items;
  if (event === undefined) throw notFound("Event");
  const { items: deliveries } = await listDeliveries(rows, pageIn(query), { eventId: id });
  const { checkout_session_id: sessionId, transaction_id: transactionId } = event;
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const main = html`<p class="above"><a href="${pageUrl("events")}">Events</a></p>
<h1 class="code">${event.event}</h1>
${button(`${pageUrl("events", id)}/deliver`, "Send it once more", "quiet")}
${facts({
  Event: idText(event.id),
  Happened: timeText(service, event.created_at),
  Environment: event.environment,
  Session: sessionId && html`<a href="${pageUrl("sessions", sessionId)}">${sessionId}</a>`,
  Transaction: transactionId && html`<a href="${pageUrl("transactions", transactionId)}">${transactionId}</a>`,
})}
<h2>Deliveries</h2>
${pagedList(query, { found: deliveries.map((one) => deliveryItem(service, one)), none: "None: no endpoint was subscribed." })}
${asSent(newest(attempts))}
<h2>Data</h2>
<details id="data"><summary>Easy to read</summary>${exact("data-text", JSON.stringify(event.data, null, 2))}</details>`;
  return { tab: "events", title: event.event, main };
};

function newest(attempts: readonly AttemptRecord[]): AttemptRecord | undefined {
  return [...attempts].sort((one, other) => other.created_at.localeCompare(one.created_at))[0];
}

/** The very bytes of the newest attempt, and the signature that belongs to them. */
function asSent(attempt: AttemptRecord | undefined): Html | false {
  if (attempt === undefined) return false;
  return html`<h2>As it was sent last</h2>
<h3>Signature</h3>${exact("signature", attempt.headers["X-Service-Signature"] ?? "")}
<h3>Body</h3>${exact("body", attempt.payload, 16_384)}`;
}

const deliver: Act = async ({ control, id }) => {
  const { deliveries } = await control.deliverEvent(id);
  return { to: pageUrl("events", id), notice: deliveries.length === 0 ? "unheard" : "sent" };
};

export const eventPages: Pages = {
  shows: { events: list, "events/{id}": detail },
  acts: { "events/{id}/deliver": deliver },
};
