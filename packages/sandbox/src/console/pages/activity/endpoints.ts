import { listDeliveries } from "../../../control/delivery-records.ts";
import { readOrganization, readOwner } from "../../../organizations/organizations.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inDatabaseTransaction, type Service } from "../../../runtime/service.ts";
import type { EndpointRow } from "../../../storage/webhook-tables.ts";
import { deleteEndpoint, readEndpoint, updateEndpoint } from "../../../webhooks/endpoints.ts";
import { sendTestEvent } from "../../../webhooks/manual-delivery.ts";
import { badge } from "../../components/badge.ts";
import { detailList, endpointText, idText, timeText } from "../../components/details.ts";
import { actionButton } from "../../components/forms.ts";
import { deliveryListItem, endpointListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageContext, PageHandler } from "../../components/section.ts";
import { createAction, newEndpointPage } from "./new-endpoint.ts";
import { failedDeliveries, retryOldestFirst } from "./retry.ts";

const listPage: PageHandler = async (request) => {
  const { service, query, texts } = request;
  const endpoints = await service.store.database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = endpoints.map((endpoint) => endpointListItem(request, endpoint));
  return {
    tab: "endpoints",
    title: texts.tabs.endpoints,
    main: html`<h1>${texts.tabs.endpoints}</h1>
<p><a class="button" href="${pageUrl("endpoints", "new")}">${texts.endpoints.new}</a></p>
${pagedList(request, { items, emptyText: texts.endpoints.none })}`,
  };
};

const detailPage: PageHandler = async (request) => {
  const { service, id, query, texts } = request;
  const { labels } = texts;
  const { database } = service.store;
  const endpoint = await readEndpoint(database, id);
  const { items } = await listDeliveries(database, parsePage(query), { webhookId: id });
  const merchant = await readOrganization(database, endpoint.organization_id);
  const { rotated_at, last_triggered_at, last_response_status } = endpoint;
  const lastAnswer = last_response_status === null ? texts.lists.noAnswer : String(last_response_status);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("endpoints")}">${texts.tabs.endpoints}</a></p>
<h1>${endpointText(texts, endpoint.url)} ${badge(texts, stateOf(endpoint))}</h1>
${await endpointButtons(request, endpoint)}
${detailList({
  [labels.endpoint]: idText(endpoint.webhook_id),
  [labels.description]: endpoint.description,
  [labels.merchant]: merchant.name,
  [labels.environment]: texts.environments[endpoint.environment],
  [labels.events]: (JSON.parse(endpoint.authorized_events_json) as string[]).join(", "),
  [labels.secret]:
    rotated_at === null ? texts.endpoints.shownOnce : html`${texts.endpoints.rotated} ${timeText(rotated_at)}`,
  [labels.created]: timeText(endpoint.created_at),
  [labels.lastAttempt]: last_triggered_at !== null && html`${timeText(last_triggered_at)} · ${lastAnswer}`,
})}
<h2>${texts.tabs.deliveries}</h2>
${pagedList(request, { items: items.map((delivery) => deliveryListItem(request, delivery)), emptyText: texts.lists.noneYet })}`;
  return { tab: "endpoints", title: endpointText(texts, endpoint.url), main };
};

async function endpointButtons({ service: { store }, texts }: PageContext, endpoint: EndpointRow): Promise<Html> {
  const { endpoints } = texts;
  const page = pageUrl("endpoints", endpoint.webhook_id);
  const { oldest, total } = await failedDeliveries(store.database, endpoint.webhook_id);
  const resendLabel = total > oldest.length ? endpoints.resendSome(oldest.length, total) : endpoints.resend(total);
  return html`<div class="control-form">
${actionButton({ action: `${page}/test`, label: endpoints.test })}
${endpoint.is_active === 1 && total > 0 && actionButton({ action: `${page}/resend`, label: resendLabel })}
${actionButton({ action: `${page}/rotate`, label: endpoints.rotate, variant: "quiet" })}
${endpoint.is_active === 1 ? actionButton({ action: `${page}/deactivate`, label: endpoints.deactivate, variant: "quiet" }) : actionButton({ action: `${page}/activate`, label: endpoints.activate, variant: "quiet" })}
${actionButton({ action: `${page}/delete`, label: endpoints.delete, variant: "danger" })}
</div>`;
}

function stateOf({ is_active }: EndpointRow): string {
  return is_active === 1 ? "active" : "inactive";
}

const test: ActionHandler = async ({ service, id }) => {
  await sendTestEvent(service, await readEndpoint(service.store.database, id));
  return { to: pageUrl("endpoints", id), flashMessage: "tested" };
};

const resend: ActionHandler = async ({ service, id }) => {
  const { database } = service.store;
  const endpoint = await readEndpoint(database, id);
  const stillFailed = await retryOldestFirst(service, endpoint, await readOwner(database, endpoint));
  return { to: pageUrl("endpoints", id), flashMessage: stillFailed > 0 ? "resent-oldest" : "resent" };
};

const rotate: ActionHandler = async ({ service, id }) => {
  const { secret } = await changeEndpoint(service, id, { rotate_secret: true });
  return { to: pageUrl("endpoints", id), flashMessage: "secret-rotated", secret };
};

const activate: ActionHandler = async ({ service, id }) => {
  await changeEndpoint(service, id, { is_active: true });
  return { to: pageUrl("endpoints", id), flashMessage: "activated" };
};

const deactivate: ActionHandler = async ({ service, id }) => {
  await changeEndpoint(service, id, { is_active: false });
  return { to: pageUrl("endpoints", id), flashMessage: "deactivated" };
};

const remove: ActionHandler = async ({ service, id }) => {
  await inDatabaseTransaction(service, async (context) =>
    deleteEndpoint(context, await readEndpoint(context.database, id)),
  );
  return { to: pageUrl("endpoints"), flashMessage: "endpoint-deleted" };
};

function changeEndpoint(
  service: Service,
  id: string,
  update: Parameters<typeof updateEndpoint>[2],
): Promise<EndpointRow> {
  return inDatabaseTransaction(service, async (context) =>
    updateEndpoint(context, await readEndpoint(context.database, id), update),
  );
}

export const endpointSection: ConsoleSection = {
  pages: { endpoints: listPage, "endpoints/new": newEndpointPage, "endpoints/{id}": detailPage },
  actions: {
    "endpoints/new": createAction,
    "endpoints/{id}/test": test,
    "endpoints/{id}/resend": resend,
    "endpoints/{id}/rotate": rotate,
    "endpoints/{id}/activate": activate,
    "endpoints/{id}/deactivate": deactivate,
    "endpoints/{id}/delete": remove,
  },
};
