import type { EventName } from "@tillkit/client/webhooks";
import { limits } from "../domain/limits.ts";
import { findOperatorOfMembership } from "../network/operators.ts";
import { copyDelegation } from "../organizations/owner.ts";
import type { WriteContext } from "../runtime/service.ts";
import type { DelegationColumns } from "../storage/network-tables.ts";
import type { SandboxDatabase } from "../storage/open-store.ts";
import type { EndpointRow, EventRow } from "../storage/webhook-tables.ts";

/** The owner, session and transaction of an event. */
export type EventSubject = Pick<EventRow, "organization_id" | "environment" | "session_id" | "transaction_id"> &
  DelegationColumns;

/** Stores an event and queues one delivery per subscribed endpoint, in the database transaction of the change that caused the event. */
export async function emitEvent(
  context: WriteContext,
  eventName: Exclude<EventName, "test.webhook">,
  subject: EventSubject,
  data: Record<string, unknown>,
): Promise<void> {
  const row: EventRow = {
    event_id: context.service.ids.uuid(),
    organization_id: subject.organization_id,
    environment: subject.environment,
    ...copyDelegation(subject),
    event: eventName,
    session_id: subject.session_id,
    transaction_id: subject.transaction_id,
    data_json: JSON.stringify(data),
    created_at: context.now,
  };
  await context.database.insertInto("events").values(row).execute();
  const endpoints = await subscribedEndpoints(context, row);
  if (endpoints.length === 0) context.report({ kind: "undelivered", event: eventName });
  for (const endpoint of endpoints) {
    for (let copy = 0; copy <= context.service.settings.delivery.duplicate; copy++) {
      await queueDelivery(context, row, endpoint.webhook_id);
    }
  }
}

/**
 * Queues a stored event again for every endpoint that is subscribed now. With `webhookId`, only for that endpoint if it is subscribed.
 * Returns the ids of the new deliveries.
 */
export async function redeliverEvent(
  context: WriteContext,
  event: EventRow,
  webhookId?: string,
): Promise<readonly string[]> {
  const deliveries: string[] = [];
  for (const endpoint of await subscribedEndpoints(context, event)) {
    if (webhookId !== undefined && endpoint.webhook_id !== webhookId) continue;
    deliveries.push(await queueDelivery(context, event, endpoint.webhook_id));
  }
  return deliveries;
}

/** The active endpoints of the merchant and of its Operator that subscribed to this event in this environment. */
async function subscribedEndpoints(context: WriteContext, event: EventRow): Promise<readonly EndpointRow[]> {
  const endpoints = await context.database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "in", await recipientOrganizations(context.database, event))
    .where("environment", "=", event.environment)
    .where("is_active", "=", 1)
    .orderBy("seq")
    .execute();
  return endpoints.filter((endpoint) => isSubscribed(endpoint, event.event));
}

async function recipientOrganizations(
  database: SandboxDatabase,
  { organization_id, membership_id }: EventRow,
): Promise<readonly string[]> {
  const operator = membership_id === null ? undefined : await findOperatorOfMembership(database, membership_id);
  return operator === undefined ? [organization_id] : [organization_id, operator.organization_id];
}

export function isSubscribed(endpoint: EndpointRow, eventName: string): boolean {
  return (JSON.parse(endpoint.authorized_events_json) as string[]).includes(eventName);
}

async function queueDelivery(context: WriteContext, event: EventRow, webhookId: string): Promise<string> {
  const { ids, settings } = context.service;
  const { due_at, held_back } = settings.delivery.reorder
    ? await applyReorder(context, webhookId)
    : { due_at: context.now, held_back: 0 };
  const delivery = {
    delivery_id: ids.uuid(),
    event_id: event.event_id,
    webhook_id: webhookId,
    state: "waiting" as const,
    attempts: 0,
    due_at,
    held_back,
    created_at: context.now,
  };
  await context.database.insertInto("deliveries").values(delivery).execute();
  context.scheduleDeliveryAt(delivery.due_at);
  return delivery.delivery_id;
}

/** Holds every second delivery of an endpoint back until the next delivery has overtaken it, or until a time limit. */
async function applyReorder(context: WriteContext, webhookId: string): Promise<{ due_at: number; held_back: number }> {
  const overtaken = await context.database
    .updateTable("deliveries")
    .set({ held_back: 0, due_at: context.now + limits.reorderGapMs })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "waiting")
    .where("held_back", "=", 1)
    .executeTakeFirst();
  if (overtaken.numUpdatedRows === 0n) return { due_at: context.now + limits.reorderHoldMs, held_back: 1 };
  context.scheduleDeliveryAt(context.now + limits.reorderGapMs);
  return { due_at: context.now, held_back: 0 };
}
