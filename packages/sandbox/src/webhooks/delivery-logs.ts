import { notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { belongsTo, type Owner } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { DeliveryLogRow, EndpointRow } from "../storage/webhook-tables.ts";
import type { DeliveryResult } from "./post-delivery.ts";
import type { WebhookMessage } from "./webhook-message.ts";

export type DeliveryAttempt = {
  deliveryId: string;
  attemptNumber: number;
  eventName: string;
  endpoint: EndpointRow;
  message: WebhookMessage;
  result: DeliveryResult;
  durationMs: number;
};

export function isDelivered({ status }: DeliveryResult): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Writes the log of an attempt and updates the last result of the endpoint. */
export async function logAttempt(context: WriteContext, attempt: DeliveryAttempt): Promise<DeliveryLogRow> {
  const { endpoint, message, result, attemptNumber } = attempt;
  const row: DeliveryLogRow = {
    log_id: context.service.ids.uuid(),
    delivery_id: attempt.deliveryId,
    webhook_id: endpoint.webhook_id,
    organization_id: endpoint.organization_id,
    environment: endpoint.environment,
    event_type: attempt.eventName,
    event_id: message.eventId,
    payload: message.body,
    headers_json: JSON.stringify(message.headers),
    response_status: result.status,
    response_body: result.body,
    attempt_number: attemptNumber,
    success: isDelivered(result) ? 1 : 0,
    error: result.error,
    request_duration_ms: attempt.durationMs,
    created_at: context.now,
  };
  await context.database.insertInto("delivery_logs").values(row).execute();
  const { eventName: event, durationMs } = attempt;
  const { status, error } = result;
  context.report({ kind: "webhook", event, attempt: attemptNumber, status, error, durationMs });
  await context.database
    .updateTable("webhook_endpoints")
    .set({
      last_triggered_at: context.now,
      last_response_status: result.status,
      last_response_body: result.body,
      retry_count: attemptNumber - 1,
    })
    .where("webhook_id", "=", endpoint.webhook_id)
    .execute();
  return row;
}

/** @throws ApiError `not_found`, also for the log of another merchant or environment */
export async function readDeliveryLog(database: SandboxDatabase, logId: string, owner: Owner): Promise<DeliveryLogRow> {
  const row = await database
    .selectFrom("delivery_logs")
    .selectAll()
    .where("log_id", "=", logId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || !belongsTo(row, owner)) throw notFound("Delivery log");
  return row;
}

/** The log as the API returns it. The IP address of the receiver is not stored. */
export function deliveryLogJson(row: DeliveryLogRow): Record<string, unknown> {
  const headers: Record<string, string> = JSON.parse(row.headers_json);
  return {
    id: row.log_id,
    log_id: row.log_id,
    webhook_id: row.webhook_id,
    organization_id: row.organization_id,
    event_type: row.event_type,
    event_id: row.event_id,
    payload: JSON.parse(row.payload),
    response_status: row.response_status,
    response_body: row.response_body,
    attempt_number: row.attempt_number,
    success: row.success === 1,
    headers,
    request_duration_ms: row.request_duration_ms,
    ip_address: null,
    user_agent: headers["User-Agent"] ?? null,
    error: row.error,
    created_at: isoTime(row.created_at),
  };
}
