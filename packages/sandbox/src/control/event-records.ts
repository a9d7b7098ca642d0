import { isoTime } from "../domain/clock.ts";
import type { Environment } from "../domain/environment.ts";
import type { Page } from "../http/pagination.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { EventRow } from "../storage/webhook-tables.ts";

/** An event with the ids of its deliveries. */
export type EventRecord = {
  id: string;
  event: string;
  organization_id: string;
  environment: Environment;
  checkout_session_id: string | null;
  transaction_id: string | null;
  /** The description of the transaction, which names the shop's order: data about a refund or a dispute does not contain it. */
  description: string | null;
  data: Record<string, unknown>;
  deliveries: readonly string[];
  created_at: string;
};

/** One page of a list. `total` counts the items of all pages. */
export type RecordPage<Item> = { items: readonly Item[]; total: number };

type EventFilter = { eventId?: string | null; sessionId?: string | null; transactionId?: string | null };

/** Newest first. Omitted filters match every event. */
export async function listEvents(
  database: SandboxDatabase,
  page: Page,
  { eventId = null, sessionId = null, transactionId = null }: EventFilter = {},
): Promise<RecordPage<EventRecord>> {
  const events = database
    .selectFrom("events")
    .$if(eventId !== null, (query) => query.where("events.event_id", "=", eventId ?? ""))
    .$if(sessionId !== null, (query) => query.where("events.session_id", "=", sessionId))
    .$if(transactionId !== null, (query) => query.where("events.transaction_id", "=", transactionId));
  const { total } = await events
    .select((builder) => builder.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const found = await events
    .leftJoin("transactions", "transactions.transaction_id", "events.transaction_id")
    .selectAll("events")
    .select("transactions.description as description")
    .orderBy("events.seq", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const deliveries = await deliveriesOf(
    database,
    found.map((event) => event.event_id),
  );
  return { total, items: found.map((event) => eventRecord(event, deliveries)) };
}

async function deliveriesOf(database: SandboxDatabase, eventIds: readonly string[]) {
  return database
    .selectFrom("deliveries")
    .select(["delivery_id", "event_id"])
    .where("event_id", "in", eventIds)
    .execute();
}

function eventRecord(
  event: EventRow & Pick<EventRecord, "description">,
  deliveries: readonly { delivery_id: string; event_id: string }[],
): EventRecord {
  return {
    id: event.event_id,
    event: event.event,
    organization_id: event.organization_id,
    environment: event.environment,
    checkout_session_id: event.session_id,
    transaction_id: event.transaction_id,
    description: event.description,
    data: JSON.parse(event.data_json),
    deliveries: deliveries.filter(({ event_id }) => event_id === event.event_id).map(({ delivery_id }) => delivery_id),
    created_at: isoTime(event.created_at),
  };
}
