import type { webhookEndpointRequestSchema, webhookEndpointUpdateSchema } from "@tillkit/client/schemas";
import type { z } from "zod";
import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { EndpointRow } from "../storage/webhook-tables.ts";

type EndpointRequest = z.output<typeof webhookEndpointRequestSchema>;
type EndpointUpdate = z.output<typeof webhookEndpointUpdateSchema>;

export async function createEndpoint(
  context: WriteContext,
  owner: Owner,
  request: EndpointRequest,
): Promise<EndpointRow> {
  const row: EndpointRow = {
    webhook_id: context.service.ids.prefixed("wh"),
    organization_id: owner.organization.organization_id,
    environment: owner.environment,
    created_by: owner.organization.merchant_id,
    url: request.url,
    is_active: 1,
    authorized_events_json: JSON.stringify([...new Set(request.authorized_events)]),
    metadata_json: JSON.stringify(request.metadata ?? {}),
    description: request.description ?? null,
    secret: context.service.ids.webhookSecret(),
    previous_secret: null,
    rotated_at: null,
    last_triggered_at: null,
    last_response_status: null,
    last_response_body: null,
    retry_count: 0,
    created_at: context.now,
    updated_at: context.now,
  };
  await context.database.insertInto("webhook_endpoints").values(row).execute();
  return row;
}

/** Omitted fields keep their values. */
export async function updateEndpoint(
  context: WriteContext,
  endpoint: EndpointRow,
  update: EndpointUpdate,
): Promise<EndpointRow> {
  const next: EndpointRow = {
    ...endpoint,
    url: update.url ?? endpoint.url,
    is_active: update.is_active === undefined ? endpoint.is_active : Number(update.is_active),
    authorized_events_json:
      update.authorized_events === undefined
        ? endpoint.authorized_events_json
        : JSON.stringify([...new Set(update.authorized_events)]),
    metadata_json: update.metadata === undefined ? endpoint.metadata_json : JSON.stringify(update.metadata),
    ...(update.rotate_secret === true ? rotateSecret(context, endpoint) : {}),
    updated_at: context.now,
  };
  await context.database
    .updateTable("webhook_endpoints")
    .set(next)
    .where("webhook_id", "=", endpoint.webhook_id)
    .execute();
  return next;
}

/** Deliveries that were not sent yet are dropped. */
export async function deleteEndpoint({ database }: WriteContext, { webhook_id }: EndpointRow): Promise<void> {
  await database.deleteFrom("webhook_endpoints").where("webhook_id", "=", webhook_id).execute();
}

/** @throws ApiError `not_found`, also for the endpoint of another merchant or environment */
export async function readEndpoint(database: SandboxDatabase, id: string, owner?: Owner): Promise<EndpointRow> {
  const row = await database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("webhook_id", "=", id)
    .executeTakeFirst();
  if (row === undefined || (owner !== undefined && !belongsTo(row, owner))) throw notFound("Webhook");
  return row;
}

/** The endpoint as the API returns it. Only creation and rotation show the secret. */
export function endpointJson(row: EndpointRow, show: "secret" | "no-secret" = "no-secret"): Record<string, unknown> {
  return {
    id: row.webhook_id,
    webhook_id: row.webhook_id,
    url: row.url,
    is_active: row.is_active === 1,
    authorized_events: JSON.parse(row.authorized_events_json),
    metadata: JSON.parse(row.metadata_json),
    description: row.description,
    environment: row.environment,
    organization_id: row.organization_id,
    created_by: row.created_by,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    last_triggered_at: row.last_triggered_at === null ? null : isoTime(row.last_triggered_at),
    last_response_status: row.last_response_status,
    last_response_body: row.last_response_body,
    retry_count: row.retry_count,
    ...(show === "secret" ? { secret: row.secret } : {}),
  };
}

function rotateSecret(context: WriteContext, endpoint: EndpointRow): Partial<EndpointRow> {
  return {
    secret: context.service.ids.webhookSecret(),
    previous_secret: endpoint.secret,
    rotated_at: context.now,
  };
}
