import type { EventName } from "@tillkit/client/webhooks";
import { limits } from "../limits.ts";
import { delegatedLike } from "../network/delegation.ts";
import { operatorOf } from "../network/operators.ts";
import type { Delegated } from "../network/tables.ts";
import { transactionJson } from "../payments/transactions.ts";
import type { Change } from "../service/service.ts";
import type { Rows } from "../storage/open-store.ts";
import type { EndpointRow, EventRow, TransactionRow } from "../storage/tables.ts";

/** What an event is about: whose it is, and which session and transaction it belongs to. */
export type Subject = Pick<EventRow, "organization_id" | "environment" | "session_id" | "transaction_id"> & Delegated;

export function emitPaymentEvent(
  change: Change,
  event: "PAYMENT_CREATED" | "PAYMENT_SUCCEEDED" | "PAYMENT_FAILED",
  transaction: TransactionRow,
): Promise<void> {
  return emitEvent(change, event, transaction, publicData(transactionJson(transaction)));
}

/** Writes the event down and one delivery for each endpoint that subscribed to it, in the change that caused it. */
export async function emitEvent(
  change: Change,
  event: Exclude<EventName, "test.webhook">,
  subject: Subject,
  data: Record<string, unknown>,
): Promise<void> {
  const row: EventRow = {
    event_id: change.service.ids.uuid(),
    organization_id: subject.organization_id,
    environment: subject.environment,
    ...delegatedLike(subject),
    event,
    session_id: subject.session_id,
    transaction_id: subject.transaction_id,
    data_json: JSON.stringify(data),
    created_at: change.now,
  };
  await change.rows.insertInto("events").values(row).execute();
  for (const endpoint of await subscribers(change, row)) {
    for (let copy = 0; copy <= change.service.settings.delivery.duplicate; copy++) {
      await queueDelivery(change, row, endpoint.webhook_id);
    }
  }
}

/** Sends a stored event once more, to every endpoint that is subscribed now; answers the new deliveries' ids. */
export async function redeliverEvent(change: Change, event: EventRow): Promise<readonly string[]> {
  const deliveries: string[] = [];
  for (const endpoint of await subscribers(change, event)) {
    deliveries.push(await queueDelivery(change, event, endpoint.webhook_id));
  }
  return deliveries;
}

/** Active endpoints of the same environment that subscribed to this event: the merchant's, and its Operator's. */
async function subscribers(change: Change, event: EventRow): Promise<readonly EndpointRow[]> {
  const endpoints = await change.rows
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("organization_id", "in", await audienceOf(change.rows, event))
    .where("environment", "=", event.environment)
    .where("is_active", "=", 1)
    .orderBy("seq")
    .execute();
  return endpoints.filter((endpoint) => isSubscribed(endpoint, event.event));
}

async function audienceOf(rows: Rows, { organization_id, membership_id }: EventRow): Promise<readonly string[]> {
  const operator = membership_id === null ? undefined : await operatorOf(rows, membership_id);
  return operator === undefined ? [organization_id] : [organization_id, operator.organization_id];
}

export function isSubscribed(endpoint: EndpointRow, event: string): boolean {
  return (JSON.parse(endpoint.authorized_events_json) as string[]).includes(event);
}

async function queueDelivery(change: Change, event: EventRow, webhookId: string): Promise<string> {
  const delivery = {
    delivery_id: change.service.ids.uuid(),
    event_id: event.event_id,
    webhook_id: webhookId,
    state: "waiting" as const,
    attempts: 0,
    ...(change.service.settings.delivery.reorder ? await reorder(change, webhookId) : { due_at: change.now, held: 0 }),
    created_at: change.now,
  };
  await change.rows.insertInto("deliveries").values(delivery).execute();
  change.expectDelivery(delivery.due_at);
  return delivery.delivery_id;
}

/** Every second delivery of an endpoint overtakes the one before it, which was held back for it, but not for ever. */
async function reorder(change: Change, webhookId: string): Promise<{ due_at: number; held: number }> {
  const overtaken = await change.rows
    .updateTable("deliveries")
    .set({ held: 0, due_at: change.now + limits.reorderGapMs })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "waiting")
    .where("held", "=", 1)
    .executeTakeFirst();
  if (overtaken.numUpdatedRows === 0n) return { due_at: change.now + limits.reorderHoldMs, held: 1 };
  change.expectDelivery(change.now + limits.reorderGapMs);
  return { due_at: change.now, held: 0 };
}

/** What never leaves the service in an event. */
function publicData(transaction: Record<string, unknown>): Record<string, unknown> {
  const { integration_source: _, ...metadata } = transaction.metadata as Record<string, unknown>;
  return { ...transaction, metadata };
}
