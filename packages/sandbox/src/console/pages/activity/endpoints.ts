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
import { countText, deliveryListItem, endpointListItem } from "../../components/list-items.ts";
import { pagedList, parsePage } from "../../components/lists.ts";
import { pageUrl } from "../../components/page-url.ts";
import type { ActionHandler, ConsoleSection, PageHandler } from "../../components/section.ts";
import { createAction, newEndpointPage } from "./new-endpoint.ts";
import { failedDeliveries, retryOldestFirst } from "./retry.ts";

const listPage: PageHandler = async ({ service, query }) => {
  const endpoints = await service.store.database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .orderBy("seq", "desc")
    .limit(parsePage(query).limit)
    .offset(parsePage(query).offset)
    .execute();
  const items = endpoints.map((endpoint) => endpointListItem(endpoint));
  return {
    tab: "endpoints",
    title: "Endpoints",
    main: html`<h1>Endpoints</h1>
<p><a class="button" href="${pageUrl("endpoints", "new")}">New endpoint</a></p>
${pagedList(query, { items, emptyText: "None: events are kept, and nothing is delivered until an endpoint is registered." })}`,
  };
};

const detailPage: PageHandler = async ({ service, id, query }) => {
  const { database } = service.store;
  const endpoint = await readEndpoint(database, id);
  const { items } = await listDeliveries(database, parsePage(query), { webhookId: id });
  const merchant = await readOrganization(database, endpoint.organization_id);
  const { rotated_at, last_triggered_at, last_response_status } = endpoint;
  const lastAnswer = last_response_status === null ? "no answer" : String(last_response_status);
  const main = html`<p class="breadcrumb"><a href="${pageUrl("endpoints")}">Endpoints</a></p>
<h1>${endpointText(endpoint.url)} ${badge(stateOf(endpoint))}</h1>
${await endpointButtons(service, endpoint)}
${detailList({
  Endpoint: idText(endpoint.webhook_id),
  Description: endpoint.description,
  Merchant: merchant.name,
  Environment: endpoint.environment,
  Events: (JSON.parse(endpoint.authorized_events_json) as string[]).join(", "),
  Secret: rotated_at === null ? "shown once, when the endpoint was created" : html`rotated ${timeText(rotated_at)}`,
  Created: timeText(endpoint.created_at),
  "Last attempt": last_triggered_at !== null && html`${timeText(last_triggered_at)} · ${lastAnswer}`,
})}
<h2>Deliveries</h2>
${pagedList(query, { items: items.map((delivery) => deliveryListItem(delivery)), emptyText: "None yet." })}`;
  return { tab: "endpoints", title: endpointText(endpoint.url), main };
};

async function endpointButtons({ store }: Service, endpoint: EndpointRow): Promise<Html> {
  const page = pageUrl("endpoints", endpoint.webhook_id);
  const { oldest, total } = await failedDeliveries(store.database, endpoint.webhook_id);
  const failedText = countText(total, "failed delivery", "failed deliveries");
  const resendLabel = total > oldest.length ? `Resend ${oldest.length} of ${failedText}` : `Resend ${failedText}`;
  return html`<div class="control-form">
${actionButton({ action: `${page}/test`, label: "Send a test event" })}
${endpoint.is_active === 1 && total > 0 && actionButton({ action: `${page}/resend`, label: resendLabel })}
${actionButton({ action: `${page}/rotate`, label: "Rotate the secret", variant: "quiet" })}
${endpoint.is_active === 1 ? actionButton({ action: `${page}/deactivate`, label: "Deactivate", variant: "quiet" }) : actionButton({ action: `${page}/activate`, label: "Activate", variant: "quiet" })}
${actionButton({ action: `${page}/delete`, label: "Delete", variant: "danger" })}
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
