import { type AttemptRecord, type DeliveryRecord, listDeliveries } from "../../control/delivery-records.ts";
import { conflict, notFound } from "../../domain/api-error.ts";
import { readOrganization } from "../../organizations/organizations.ts";
import { type Html, html } from "../../pages/html.ts";
import type { Service } from "../../runtime/service.ts";
import { readDeliveryLog } from "../../webhooks/delivery-logs.ts";
import { readEndpoint } from "../../webhooks/endpoints.ts";
import { retryDelivery } from "../../webhooks/manual-delivery.ts";
import { badge } from "../components/badge.ts";
import { codeBlock, detailList, endpointText, idText, timeText } from "../components/details.ts";
import { button } from "../components/forms.ts";
import { deliveryListItem } from "../components/list-items.ts";
import { filterLinks, pagedList, pager, parsePage } from "../components/lists.ts";
import { pageUrl } from "../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../components/section.ts";

/** An attempt shows headers, body and response, so a page shows only a few. */
const attemptsPerPage = 5;

const list: PageHandler = async ({ service, query }) => {
  const state = query.get("state") ?? "";
  const only = state === "" ? {} : { state: state as DeliveryRecord["state"] };
  const deliveries = await listDeliveries(service.store.database, parsePage(query), only);
  const items = deliveries.items.map((delivery) => deliveryListItem(service, delivery));
  const values = { "": "All", waiting: "Waiting", delivered: "Delivered", failed: "Failed", dropped: "Dropped" };
  return {
    tab: "deliveries",
    title: "Deliveries",
    main: html`<h1>Deliveries</h1>
${filterLinks("deliveries", query, { name: "state", values })}
${pagedList(query, { items, emptyText: "None: a delivery appears when an event has a subscribed endpoint." })}`,
  };
};

const detail: PageHandler = async ({ service, id, query }) => {
  const delivery = await readDelivery(service, id);
  const { due_at, attempts } = delivery;
  const page = parsePage(query, attemptsPerPage);
  const pageAndNextAttempt = [...attempts].reverse().slice(page.offset, page.offset + page.limit);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("deliveries")}">Deliveries</a></p>
<h1><span class="code">${delivery.event}</span> ${badge(delivery.state)}</h1>
${lastFailedAttempt(delivery) !== undefined && button(`${pageUrl("deliveries", id)}/retry`, "Retry now")}
${detailList({
  Delivery: idText(delivery.id),
  Event: html`<a href="${pageUrl("events", delivery.event_id)}">${delivery.event_id}</a>`,
  Endpoint: idText(delivery.webhook_id),
  To: endpointText(delivery.url),
  Queued: timeText(service, delivery.created_at),
  "Next attempt": due_at && timeText(service, due_at),
  Attempts: attempts.length,
})}
<h2>Attempts</h2>
${attempts.length === 0 && html`<p class="none">None yet.</p>`}
${pageAndNextAttempt.slice(0, attemptsPerPage).map((attempt, index) => attemptItem(service, attempt, page.offset + index === 0))}
${pager(query, pageAndNextAttempt.length > attemptsPerPage, attemptsPerPage)}`;
  return { tab: "deliveries", title: delivery.event, main };
};

function attemptItem(service: Service, attempt: AttemptRecord, open: boolean): Html {
  const { attempt_number: number, response_body, headers } = attempt;
  const id = `attempt-${number}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<details id="${id}" class="attempt" ${open && "open"}><summary><b>Attempt ${number}</b> ${badge(attempt.success ? "delivered" : "failed")} <span class="about">${attempt.response_status ?? attempt.error} · ${attempt.request_duration_ms} ms · ${timeText(service, attempt.created_at)}</span></summary>
<h3>Headers</h3>${codeBlock(`${id}-headers`, lines.join("\n"))}
<h3>Body</h3>${codeBlock(`${id}-body`, attempt.payload, 4096)}
${response_body !== null && response_body !== "" && html`<h3>Answer</h3>${codeBlock(`${id}-answer`, response_body, 1024)}`}</details>
`;
}

async function readDelivery({ store }: Service, deliveryId: string): Promise<DeliveryRecord> {
  const [delivery] = (await listDeliveries(store.database, { limit: 1, offset: 0 }, { deliveryId })).items;
  if (delivery === undefined) throw notFound("Delivery");
  return delivery;
}

/** The attempt that a retry repeats. Undefined when the event was delivered or its endpoint was deleted. */
function lastFailedAttempt({ state, attempts, url }: DeliveryRecord): AttemptRecord | undefined {
  if (state === "delivered" || url === null) return undefined;
  return attempts.filter(({ success }) => !success).at(-1);
}

const retry: ActionHandler = async ({ service, id }) => {
  const failed = lastFailedAttempt(await readDelivery(service, id));
  if (failed === undefined) throw conflict("There is no failed attempt to retry.", { delivery_id: id });
  await retryLog(service, failed.log_id);
  return { to: pageUrl("deliveries", id), flashMessage: "retried" };
};

/** Retries the attempt as the service's API does when the merchant that owns the delivery calls it. */
async function retryLog(service: Service, logId: string): Promise<void> {
  const { database } = service.store;
  const { organization_id, environment } = await database
    .selectFrom("delivery_logs")
    .select(["organization_id", "environment"])
    .where("log_id", "=", logId)
    .executeTakeFirstOrThrow();
  const owner = { organization: await readOrganization(database, organization_id), environment };
  const log = await readDeliveryLog(database, logId, owner);
  await retryDelivery(service, await readEndpoint(database, log.webhook_id, owner), log);
}

export const deliverySection: ConsoleSection = {
  pages: { deliveries: list, "deliveries/{id}": detail },
  actions: { "deliveries/{id}/retry": retry },
};
