import { type AttemptRecord, type DeliveryRecord, listDeliveries } from "../../../control/delivery-records.ts";
import { conflict, notFound } from "../../../domain/api-error.ts";
import { readOwner } from "../../../organizations/organizations.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inDatabaseTransaction, type Service } from "../../../runtime/service.ts";
import { readDeliveryLog } from "../../../webhooks/delivery-logs.ts";
import { readEndpoint } from "../../../webhooks/endpoints.ts";
import { redeliverEvent } from "../../../webhooks/events.ts";
import { retryDelivery } from "../../../webhooks/manual-delivery.ts";
import { badge } from "../../components/badge.ts";
import { codeBlock, detailList, endpointText, idText, timeText } from "../../components/details.ts";
import { actionButton } from "../../components/forms.ts";
import { deliveryListItem } from "../../components/list-items.ts";
import { filterLinks, pagedList, pager, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import { lastFailedAttempt } from "./retry.ts";

/** An attempt shows headers, body and response, so a page shows only a few. */
const attemptsPerPage = 5;

/** The page of a delivery shows this many characters of a body and of an answer. */
const MAX_BODY_LENGTH = 4096;
const MAX_ANSWER_LENGTH = 1024;

const listPage: PageHandler = async ({ service, query }) => {
  const state = query.get("state") ?? "";
  const filter = state === "" ? {} : { state: state as DeliveryRecord["state"] };
  const deliveries = await listDeliveries(service.store.database, parsePage(query), filter);
  const items = deliveries.items.map((delivery) => deliveryListItem(delivery));
  const values = { "": "All", waiting: "Waiting", delivered: "Delivered", failed: "Failed", dropped: "Dropped" };
  return {
    tab: "deliveries",
    title: "Deliveries",
    main: html`<h1>Deliveries</h1>
${filterLinks("deliveries", query, { name: "state", values })}
${pagedList(query, { items, emptyText: "None: a delivery appears when an event has a subscribed endpoint." })}`,
  };
};

const detailPage: PageHandler = async ({ service, id, query }) => {
  const delivery = await readDelivery(service, id);
  const { due_at: dueAt, attempts } = delivery;
  const page = parsePage(query, attemptsPerPage);
  const pageAndNextAttempt = [...attempts].reverse().slice(page.offset, page.offset + page.limit);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("deliveries")}">Deliveries</a></p>
<h1><span class="code">${delivery.event}</span> ${badge(delivery.state)}</h1>
<div class="control-form">${lastFailedAttempt(delivery) !== undefined && actionButton({ action: `${pageUrl("deliveries", id)}/retry`, label: "Retry now" })}${delivery.url !== null && actionButton({ action: `${pageUrl("deliveries", id)}/resend`, label: "Send again", variant: "quiet" })}</div>
${detailList({
  Delivery: idText(delivery.id),
  Event: html`<a href="${pageUrl("events", delivery.event_id)}">${delivery.event_id}</a>`,
  Endpoint:
    delivery.url === null
      ? idText(delivery.webhook_id)
      : html`<a href="${pageUrl("endpoints", delivery.webhook_id)}">${delivery.webhook_id}</a>`,
  To: endpointText(delivery.url),
  Queued: timeText(delivery.created_at),
  "Next attempt": dueAt && timeText(dueAt),
  Attempts: attempts.length,
})}
<h2>Attempts</h2>
${attempts.length === 0 && html`<p class="none">None yet.</p>`}
${pageAndNextAttempt.slice(0, attemptsPerPage).map((attempt, index) => attemptItem(attempt, { isOpen: page.offset + index === 0 }))}
${pager(query, { hasMore: pageAndNextAttempt.length > attemptsPerPage, size: attemptsPerPage })}`;
  return { tab: "deliveries", title: delivery.event, main };
};

function attemptItem(attempt: AttemptRecord, { isOpen }: { isOpen: boolean }): Html {
  const { attempt_number: number, response_body, headers } = attempt;
  const id = `attempt-${number}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<details id="${id}" class="attempt" ${isOpen && "open"}><summary><b>Attempt ${number}</b> ${badge(attempt.success ? "delivered" : "failed")} <span class="about">${attempt.response_status ?? attempt.error} · ${attempt.request_duration_ms} ms · ${timeText(attempt.created_at)}</span></summary>
<h3>Headers</h3>${codeBlock(`${id}-headers`, lines.join("\n"))}
<h3>Body</h3>${codeBlock(`${id}-body`, attempt.payload, MAX_BODY_LENGTH)}
${response_body !== null && response_body !== "" && html`<h3>Answer</h3>${codeBlock(`${id}-answer`, response_body, MAX_ANSWER_LENGTH)}`}</details>
`;
}

async function readDelivery({ store }: Service, deliveryId: string): Promise<DeliveryRecord> {
  const [delivery] = (await listDeliveries(store.database, { limit: 1, offset: 0 }, { deliveryId })).items;
  if (delivery === undefined) throw notFound("Delivery");
  return delivery;
}

const retry: ActionHandler = async ({ service, id }) => {
  const failed = lastFailedAttempt(await readDelivery(service, id));
  if (failed === undefined) throw conflict("There is no failed attempt to retry.", { delivery_id: id });
  await retryLog(service, failed.log_id);
  return { to: pageUrl("deliveries", id), flashMessage: "retried" };
};

/** Sends the event of the delivery to the same endpoint again, as a new delivery with a new signature. */
const resend: ActionHandler = async ({ service, id }) => {
  const { event_id, webhook_id } = await readDelivery(service, id);
  const event = await service.store.database
    .selectFrom("events")
    .selectAll()
    .where("event_id", "=", event_id)
    .executeTakeFirst();
  if (event === undefined) throw notFound("Event");
  const [deliveryId] = await inDatabaseTransaction(service, (context) => redeliverEvent(context, event, webhook_id));
  if (deliveryId === undefined)
    throw conflict("The endpoint is inactive or not subscribed to this event.", { webhook_id });
  return { to: pageUrl("deliveries", deliveryId), flashMessage: "sent" };
};

/** Retries the attempt as the service's API does when the merchant that owns the delivery calls it. */
async function retryLog(service: Service, logId: string): Promise<void> {
  const { database } = service.store;
  const row = await database
    .selectFrom("delivery_logs")
    .select(["organization_id", "environment"])
    .where("log_id", "=", logId)
    .executeTakeFirstOrThrow();
  const owner = await readOwner(database, row);
  const log = await readDeliveryLog(database, logId, owner);
  await retryDelivery(service, await readEndpoint(database, log.webhook_id, owner), log);
}

export const deliverySection: ConsoleSection = {
  pages: { deliveries: listPage, "deliveries/{id}": detailPage },
  actions: { "deliveries/{id}/retry": retry, "deliveries/{id}/resend": resend },
};
