import type { Page } from "../api/list.ts";
import { sessionJson } from "../payments/sessions.ts";
import { iso } from "../service/clock.ts";
import type { Service } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { DeliveryLogRow, Environment, EventRow } from "../storage/tables.ts";

/** An event as it happened; `deliveries` names what was sent of it. */
export type EventRecord = {
  id: string;
  event: string;
  organization_id: string;
  environment: Environment;
  checkout_session_id: string | null;
  transaction_id: string | null;
  data: Record<string, unknown>;
  deliveries: readonly string[];
  created_at: string;
};

/** One event on its way to one endpoint, with every attempt. */
export type DeliveryRecord = {
  id: string;
  event_id: string;
  event: string;
  webhook_id: string;
  url: string | null;
  state: "waiting" | "delivered" | "failed" | "dropped";
  attempts: readonly AttemptRecord[];
  /** When the next attempt is due; null when there is none. */
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

export type Found<Record> = { items: readonly Record[]; total: number };

type EventFilter = { eventId?: string | null; sessionId?: string | null; transactionId?: string | null };

/** Newest first. What the filter does not name does not matter. */
export async function listEvents(
  rows: Rows,
  page: Page,
  { eventId = null, sessionId = null, transactionId = null }: EventFilter = {},
): Promise<Found<EventRecord>> {
  const events = rows
    .selectFrom("events")
    .$if(eventId !== null, (query) => query.where("event_id", "=", eventId ?? ""))
    .$if(sessionId !== null, (query) => query.where("session_id", "=", sessionId))
    .$if(transactionId !== null, (query) => query.where("transaction_id", "=", transactionId));
  const { total } = await events.select((of) => of.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const found = await events.selectAll().orderBy("seq", "desc").limit(page.limit).offset(page.offset).execute();
  const deliveries = await deliveriesOf(
    rows,
    found.map((event) => event.event_id),
  );
  return { total, items: found.map((event) => eventRecord(event, deliveries)) };
}

type DeliveryFilter = {
  deliveryId?: string | null;
  eventId?: string | null;
  sessionId?: string | null;
  state?: DeliveryRecord["state"] | null;
};

/** Newest first. What the filter does not name does not matter. */
export async function listDeliveries(
  rows: Rows,
  page: Page,
  { deliveryId = null, eventId = null, sessionId = null, state = null }: DeliveryFilter = {},
): Promise<Found<DeliveryRecord>> {
  const deliveries = rows
    .selectFrom("deliveries")
    .$if(deliveryId !== null, (query) => query.where("deliveries.delivery_id", "=", deliveryId ?? ""))
    .$if(eventId !== null, (query) => query.where("deliveries.event_id", "=", eventId ?? ""))
    .$if(sessionId !== null, (query) =>
      query.where("deliveries.event_id", "in", (of) =>
        of.selectFrom("events").select("event_id").where("session_id", "=", sessionId),
      ),
    )
    .$if(state !== null, (query) => query.where("deliveries.state", "=", state ?? "waiting"));
  const { total } = await deliveries.select((of) => of.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const found = await deliveries
    .leftJoin("events", "events.event_id", "deliveries.event_id")
    .leftJoin("webhook_endpoints", "webhook_endpoints.webhook_id", "deliveries.webhook_id")
    .selectAll("deliveries")
    .select(["events.event as event", "webhook_endpoints.url as url"])
    .orderBy("deliveries.seq", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const ids = found.map((delivery) => delivery.delivery_id);
  const logs = await rows
    .selectFrom("delivery_logs")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("seq")
    .execute();
  const items = found.map((delivery) => ({
    id: delivery.delivery_id,
    event_id: delivery.event_id,
    event: delivery.event ?? "",
    webhook_id: delivery.webhook_id,
    url: delivery.url,
    state: delivery.state,
    attempts: logs.filter((log) => log.delivery_id === delivery.delivery_id).map(attemptRecord),
    due_at: delivery.state === "waiting" ? iso(delivery.due_at) : null,
    created_at: iso(delivery.created_at),
  }));
  return { total, items };
}

async function deliveriesOf(rows: Rows, eventIds: readonly string[]) {
  return rows.selectFrom("deliveries").select(["delivery_id", "event_id"]).where("event_id", "in", eventIds).execute();
}

function eventRecord(event: EventRow, deliveries: readonly { delivery_id: string; event_id: string }[]): EventRecord {
  return {
    id: event.event_id,
    event: event.event,
    organization_id: event.organization_id,
    environment: event.environment,
    checkout_session_id: event.session_id,
    transaction_id: event.transaction_id,
    data: JSON.parse(event.data_json),
    deliveries: deliveries.filter((one) => one.event_id === event.event_id).map((one) => one.delivery_id),
    created_at: iso(event.created_at),
  };
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
    created_at: iso(log.created_at),
  };
}

/** Sessions of every merchant and both environments, newest first. The service itself has no such list. */
export async function listSessions(service: Service, { limit, offset }: Page): Promise<Found<Record<string, unknown>>> {
  const sessions = service.store.rows.selectFrom("sessions");
  const { count } = await sessions.select((of) => of.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const found = await sessions.selectAll().orderBy("seq", "desc").limit(limit).offset(offset).execute();
  return { items: found.map((session) => sessionJson(service, session)), total: count };
}
