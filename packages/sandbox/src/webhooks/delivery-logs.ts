import { belongsTo, type Owner } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import { notFound } from "../service/refusal.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { DeliveryLogRow, EndpointRow } from "../storage/tables.ts";
import type { Letter } from "./letter.ts";
import type { Receipt } from "./send.ts";

export type Attempted = {
  deliveryId: string;
  attempt: number;
  event: string;
  endpoint: EndpointRow;
  letter: Letter;
  receipt: Receipt;
  durationMs: number;
};

export function isDelivered({ status }: Receipt): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** One log an attempt, and what the endpoint remembers of its last one. */
export async function logAttempt(change: Change, attempted: Attempted): Promise<DeliveryLogRow> {
  const { endpoint, letter, receipt, attempt } = attempted;
  const row: DeliveryLogRow = {
    log_id: change.service.ids.uuid(),
    delivery_id: attempted.deliveryId,
    webhook_id: endpoint.webhook_id,
    organization_id: endpoint.organization_id,
    environment: endpoint.environment,
    event_type: attempted.event,
    event_id: letter.eventId,
    payload: letter.body,
    headers_json: JSON.stringify(letter.headers),
    response_status: receipt.status,
    response_body: receipt.body,
    attempt_number: attempt,
    success: isDelivered(receipt) ? 1 : 0,
    error: receipt.error,
    request_duration_ms: attempted.durationMs,
    created_at: change.now,
  };
  await change.rows.insertInto("delivery_logs").values(row).execute();
  await change.rows
    .updateTable("webhook_endpoints")
    .set({
      last_triggered_at: change.now,
      last_response_status: receipt.status,
      last_response_body: receipt.body,
      retry_count: attempt - 1,
    })
    .where("webhook_id", "=", endpoint.webhook_id)
    .execute();
  return row;
}

/** @throws Refusal `not_found`, also for the log of another merchant or environment */
export async function readDeliveryLog(rows: Rows, logId: string, owner: Owner): Promise<DeliveryLogRow> {
  const row = await rows
    .selectFrom("delivery_logs")
    .selectAll()
    .where("log_id", "=", logId.toLowerCase())
    .executeTakeFirst();
  if (row === undefined || !belongsTo(row, owner)) throw notFound("Delivery log");
  return row;
}

/** The log as the API shows it. The receiver's address is not kept. */
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
    created_at: iso(row.created_at),
  };
}
