import { type AttemptRecord, type DeliveryRecord, listDeliveries } from "../../../control/delivery-records.ts";
import { notFound } from "../../../domain/api-error.ts";
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
import { filterLinks, pagedList, pager, parsePage, statusFilter } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import { type ActionHandler, type ConsoleSection, FormProblem, type PageHandler } from "../../components/section.ts";
import type { ConsoleTexts } from "../../texts/texts.ts";
import { lastFailedAttempt } from "./retry.ts";

/** An attempt shows headers, body and response, so a page shows only a few. */
const attemptsPerPage = 5;

/** The page of a delivery shows this many characters of a body and of an answer. */
const MAX_BODY_LENGTH = 4096;
const MAX_ANSWER_LENGTH = 1024;

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const state = query.get("state") ?? "";
  const filter = state === "" ? {} : { state: state as DeliveryRecord["state"] };
  const deliveries = await listDeliveries(service.store.database, parsePage(query), filter);
  const items = deliveries.items.map((delivery) => deliveryListItem(request, delivery));
  const values = statusFilter(texts, ["waiting", "delivered", "failed", "dropped"]);
  return {
    tab: "deliveries",
    title: texts.tabs.deliveries,
    main: html`<h1>${texts.tabs.deliveries}</h1>
${filterLinks("deliveries", request, { name: "state", values })}
${pagedList(request, { items, emptyText: texts.deliveries.none })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, query, texts } = request;
  const { labels } = texts;
  const delivery = await readDelivery(service, id);
  const { due_at: dueAt, attempts } = delivery;
  const page = parsePage(query, attemptsPerPage);
  const pageAndNextAttempt = [...attempts].reverse().slice(page.offset, page.offset + page.limit);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("deliveries")}">${texts.tabs.deliveries}</a></p>
<h1><span class="code">${delivery.event}</span> ${badge(texts, delivery.state)}</h1>
<div class="control-form">${lastFailedAttempt(delivery) !== undefined && actionButton({ action: `${pageUrl("deliveries", id)}/retry`, label: texts.deliveries.retryNow })}${delivery.url !== null && actionButton({ action: `${pageUrl("deliveries", id)}/resend`, label: texts.events.sendAgain, variant: "quiet" })}</div>
${detailList({
  [labels.delivery]: idText(delivery.id),
  [labels.event]: html`<a href="${pageUrl("events", delivery.event_id)}">${delivery.event_id}</a>`,
  [labels.endpoint]:
    delivery.url === null
      ? idText(delivery.webhook_id)
      : html`<a href="${pageUrl("endpoints", delivery.webhook_id)}">${delivery.webhook_id}</a>`,
  [labels.to]: endpointText(texts, delivery.url),
  [labels.queued]: timeText(delivery.created_at),
  [labels.nextAttempt]: dueAt && timeText(dueAt),
  [labels.attempts]: attempts.length,
})}
<h2>${labels.attempts}</h2>
${attempts.length === 0 && html`<p class="none">${texts.lists.noneYet}</p>`}
${pageAndNextAttempt.slice(0, attemptsPerPage).map((attempt, index) => attemptItem(texts, attempt, { isOpen: page.offset + index === 0 }))}
${pager(request, { hasMore: pageAndNextAttempt.length > attemptsPerPage, size: attemptsPerPage })}`;
  return { tab: "deliveries", title: delivery.event, main };
};

function attemptItem(texts: ConsoleTexts, attempt: AttemptRecord, { isOpen }: { isOpen: boolean }): Html {
  const { attempt_number: number, response_body, headers } = attempt;
  const id = `attempt-${number}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<details id="${id}" class="attempt" ${isOpen && "open"}><summary><b>${texts.deliveries.attempt(number)}</b> ${badge(texts, attempt.success ? "delivered" : "failed")} <span class="about">${attempt.response_status ?? attempt.error} · ${attempt.request_duration_ms} ms · ${timeText(attempt.created_at)}</span></summary>
<h3>${texts.deliveries.headers}</h3>${codeBlock(texts, `${id}-headers`, lines.join("\n"))}
<h3>${texts.events.body}</h3>${codeBlock(texts, `${id}-body`, attempt.payload, MAX_BODY_LENGTH)}
${response_body !== null && response_body !== "" && html`<h3>${texts.deliveries.answer}</h3>${codeBlock(texts, `${id}-answer`, response_body, MAX_ANSWER_LENGTH)}`}</details>
`;
}

async function readDelivery({ store }: Service, deliveryId: string): Promise<DeliveryRecord> {
  const [delivery] = (await listDeliveries(store.database, { limit: 1, offset: 0 }, { deliveryId })).items;
  if (delivery === undefined) throw notFound("Delivery");
  return delivery;
}

const retry: ActionHandler = async ({ service, id, texts }) => {
  const failed = lastFailedAttempt(await readDelivery(service, id));
  if (failed === undefined) throw new FormProblem(texts.problems.noFailedAttempt, 409);
  await retryLog(service, failed.log_id);
  return { to: pageUrl("deliveries", id), flashMessage: "retried" };
};

/** Sends the event of the delivery to the same endpoint again, as a new delivery with a new signature. */
const resend: ActionHandler = async ({ service, id, texts }) => {
  const { event_id, webhook_id } = await readDelivery(service, id);
  const event = await service.store.database
    .selectFrom("events")
    .selectAll()
    .where("event_id", "=", event_id)
    .executeTakeFirst();
  if (event === undefined) throw notFound("Event");
  const [deliveryId] = await inDatabaseTransaction(service, (context) => redeliverEvent(context, event, webhook_id));
  if (deliveryId === undefined) throw new FormProblem(texts.problems.notSubscribed, 409);
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
