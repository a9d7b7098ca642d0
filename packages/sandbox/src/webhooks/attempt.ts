import { type Change, changeState, type Service } from "../service/service.ts";
import type { DeliveryRow, EndpointRow, EventRow } from "../storage/tables.ts";
import { type Attempted, isDelivered, logAttempt } from "./delivery-logs.ts";
import { planOf } from "./delivery-plan.ts";
import { isSubscribed } from "./events.ts";
import { type Letter, writeLetter } from "./letter.ts";
import { type Receipt, send } from "./send.ts";

/** One attempt of one delivery, and what is written down about it. Nothing is written when `signal` ended it. */
export async function attemptDelivery(service: Service, delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
  const [event, endpoint] = await addressee(service, delivery);
  if (event === undefined || endpoint === undefined || !endpoint.is_active || !isSubscribed(endpoint, event.event)) {
    await changeState(service, (change) => settle(change, delivery.delivery_id, { state: "dropped" }));
    return;
  }
  const letter = writeLetter(service, event, endpoint);
  const startedAt = performance.now();
  const lost = delivery.attempts < service.settings.delivery.dropFirst;
  const receipt: Receipt = lost
    ? { status: null, body: null, error: "network_error" }
    : await post(service, endpoint, letter, signal);
  if (signal.aborted) return;
  const durationMs = Math.round(performance.now() - startedAt);
  const attempt = delivery.attempts + 1;
  const { delivery_id: deliveryId } = delivery;
  await changeState(service, (change) =>
    writeDown(change, { deliveryId, attempt, event: event.event, endpoint, letter, receipt, durationMs }),
  );
}

/** Hands a letter over. `signal` ends it early; without one only the timeout does. */
export async function post(
  { settings }: Service,
  endpoint: EndpointRow,
  { body, headers }: Letter,
  signal?: AbortSignal,
): Promise<Receipt> {
  const bytes = Buffer.from(body);
  return send({
    url: endpoint.url,
    headers: { ...headers, "Content-Length": String(bytes.length) },
    bytes,
    timeoutMs: settings.delivery.timeoutMs,
    allowLoopback: settings.allowLoopbackWebhooks,
    signal,
  });
}

async function addressee(
  { store }: Service,
  delivery: DeliveryRow,
): Promise<[EventRow | undefined, EndpointRow | undefined]> {
  const event = await store.rows
    .selectFrom("events")
    .selectAll()
    .where("event_id", "=", delivery.event_id)
    .executeTakeFirst();
  const endpoint = await store.rows
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("webhook_id", "=", delivery.webhook_id)
    .executeTakeFirst();
  return [event, endpoint];
}

async function writeDown(change: Change, attempted: Attempted): Promise<void> {
  const { deliveryId, attempt, receipt } = attempted;
  const kept = await settle(change, deliveryId, { attempts: attempt, ...next(change, attempt, receipt) });
  if (kept) await logAttempt(change, attempted);
}

/** 4xx is final and so is a forbidden address; 3xx, 5xx, timeouts and network faults are tried again, twice as late each time. */
function next(change: Change, attempt: number, receipt: Receipt): Partial<DeliveryRow> {
  const { attempts, baseDelayMs } = planOf(change.service.settings);
  if (isDelivered(receipt)) return { state: "delivered" };
  const { status, error } = receipt;
  const refused = status !== null && status >= 400 && status < 500;
  if (refused || error === "blocked_webhook_url" || attempt >= attempts) return { state: "failed" };
  const due_at = change.now + baseDelayMs * 2 ** (attempt - 1);
  change.expectDelivery(due_at);
  return { state: "waiting", due_at };
}

/** False when the delivery is gone: somebody reset the sandbox meanwhile. */
async function settle(change: Change, deliveryId: string, to: Partial<DeliveryRow>): Promise<boolean> {
  const done = await change.rows
    .updateTable("deliveries")
    .set(to)
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}
