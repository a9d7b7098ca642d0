import { isoTime } from "../domain/clock.ts";
import type { Page } from "../http/pagination.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { DeliveryLogRow } from "../storage/webhook-tables.ts";
import type { RecordPage } from "./event-records.ts";

/** The delivery of one event to one endpoint, with every attempt. */
export type DeliveryRecord = {
  id: string;
  event_id: string;
  event: string;
  /** The description of the transaction that the event is about, which names the shop's order. */
  description: string | null;
  webhook_id: string;
  url: string | null;
  state: "waiting" | "delivered" | "failed" | "dropped";
  attempts: readonly AttemptRecord[];
  /** The due time of the next attempt. Null when no attempt is planned. */
  due_at: string | null;
  created_at: string;
};

export type AttemptRecord = {
  log_id: string;
  attempt_number: number;
  success: boolean;
  event_id: string;
  headers: Record<string, string>;
  payload: string;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  request_duration_ms: number;
  created_at: string;
};

type DeliveryFilter = {
  deliveryId?: string | null;
  eventId?: string | null;
  sessionId?: string | null;
  webhookId?: string | null;
  state?: DeliveryRecord["state"] | null;
};

/** Newest first. Omitted filters match every delivery. */
export async function listDeliveries(
  database: SandboxDatabase,
  page: Page,
  { deliveryId = null, eventId = null, sessionId = null, webhookId = null, state = null }: DeliveryFilter = {},
): Promise<RecordPage<DeliveryRecord>> {
  const deliveries = database
    .selectFrom("deliveries")
    .$if(deliveryId !== null, (query) => query.where("deliveries.delivery_id", "=", deliveryId ?? ""))
    .$if(eventId !== null, (query) => query.where("deliveries.event_id", "=", eventId ?? ""))
    .$if(sessionId !== null, (query) =>
      query.where("deliveries.event_id", "in", (builder) =>
        builder.selectFrom("events").select("event_id").where("session_id", "=", sessionId),
      ),
    )
    .$if(webhookId !== null, (query) => query.where("deliveries.webhook_id", "=", webhookId ?? ""))
    .$if(state !== null, (query) => query.where("deliveries.state", "=", state ?? "waiting"));
  const { total } = await deliveries
    .select((builder) => builder.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const found = await deliveries
    .leftJoin("events", "events.event_id", "deliveries.event_id")
    .leftJoin("transactions", "transactions.transaction_id", "events.transaction_id")
    .leftJoin("webhook_endpoints", "webhook_endpoints.webhook_id", "deliveries.webhook_id")
    .selectAll("deliveries")
    .select(["events.event as event", "transactions.description as description", "webhook_endpoints.url as url"])
    .orderBy("deliveries.seq", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const ids = found.map((delivery) => delivery.delivery_id);
  const logs = await database
    .selectFrom("delivery_logs")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("seq")
    .execute();
  const items = found.map((delivery) => ({
    id: delivery.delivery_id,
    event_id: delivery.event_id,
    event: delivery.event ?? "",
    description: delivery.description,
    webhook_id: delivery.webhook_id,
    url: delivery.url,
    state: delivery.state,
    attempts: logs.filter((log) => log.delivery_id === delivery.delivery_id).map(attemptRecord),
    due_at: delivery.state === "waiting" ? isoTime(delivery.due_at) : null,
    created_at: isoTime(delivery.created_at),
  }));
  return { total, items };
}

function attemptRecord(log: DeliveryLogRow): AttemptRecord {
  return {
    log_id: log.log_id,
    attempt_number: log.attempt_number,
    success: log.success === 1,
    event_id: log.event_id,
    headers: JSON.parse(log.headers_json),
    payload: log.payload,
    response_status: log.response_status,
    response_body: log.response_body,
    error: log.error,
    request_duration_ms: log.request_duration_ms,
    created_at: isoTime(log.created_at),
  };
}
