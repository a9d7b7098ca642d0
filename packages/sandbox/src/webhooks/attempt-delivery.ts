import { inDatabaseTransaction, type Service, type WriteContext } from "../runtime/service.ts";
import type { DeliveryRow, EndpointRow, EventRow } from "../storage/webhook-tables.ts";
import { type DeliveryAttempt, isDelivered, logAttempt } from "./delivery-logs.ts";
import { isSubscribed } from "./events.ts";
import { type DeliveryResult, postDelivery } from "./post-delivery.ts";
import { retryPolicy } from "./retry-policy.ts";
import { buildMessage, type WebhookMessage } from "./webhook-message.ts";

/** Makes one attempt of a delivery and records its result. An attempt that `signal` aborts is not recorded. */
export async function attemptDelivery(service: Service, delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
  const [event, endpoint] = await readEventAndEndpoint(service, delivery);
  if (event === undefined || endpoint === undefined || !endpoint.is_active || !isSubscribed(endpoint, event.event)) {
    // The endpoint was deleted, deactivated or unsubscribed since the event.
    await inDatabaseTransaction(service, (context) =>
      updateDelivery(context, delivery.delivery_id, { state: "dropped" }),
    );
    return;
  }
  const message = buildMessage(service, event, endpoint);
  const startedAt = performance.now();
  // The setting `dropFirst` lets the first attempts fail without sending them.
  const isSimulatedFailure = delivery.attempts < service.settings.delivery.dropFirst;
  const result: DeliveryResult = isSimulatedFailure
    ? { status: null, body: null, error: "network_error" }
    : await sendMessage(service, endpoint, message, signal);
  if (signal.aborted) return;
  const durationMs = Math.round(performance.now() - startedAt);
  const attemptNumber = delivery.attempts + 1;
  const { delivery_id: deliveryId } = delivery;
  await inDatabaseTransaction(service, (context) =>
    recordAttempt(context, {
      deliveryId,
      attemptNumber,
      eventName: event.event,
      endpoint,
      message,
      result,
      durationMs,
    }),
  );
}

/** Sends a message to an endpoint. `signal` aborts the request before its timeout. */
export async function sendMessage(
  { settings }: Service,
  endpoint: EndpointRow,
  { body, headers }: WebhookMessage,
  signal?: AbortSignal,
): Promise<DeliveryResult> {
  const bytes = Buffer.from(body);
  return postDelivery({
    url: endpoint.url,
    headers: { ...headers, "Content-Length": String(bytes.length) },
    bytes,
    timeoutMs: settings.delivery.timeoutMs,
    allowLoopback: settings.allowLoopbackWebhooks,
    signal,
  });
}

async function readEventAndEndpoint(
  { store }: Service,
  delivery: DeliveryRow,
): Promise<[EventRow | undefined, EndpointRow | undefined]> {
  const event = await store.database
    .selectFrom("events")
    .selectAll()
    .where("event_id", "=", delivery.event_id)
    .executeTakeFirst();
  const endpoint = await store.database
    .selectFrom("webhook_endpoints")
    .selectAll()
    .where("webhook_id", "=", delivery.webhook_id)
    .executeTakeFirst();
  return [event, endpoint];
}

async function recordAttempt(context: WriteContext, attempt: DeliveryAttempt): Promise<void> {
  const { deliveryId, attemptNumber, result } = attempt;
  const isStored = await updateDelivery(context, deliveryId, {
    attempts: attemptNumber,
    ...nextDeliveryState(context, attemptNumber, result),
  });
  if (isStored) await logAttempt(context, attempt);
}

/** 4xx and blocked addresses are final. 3xx, 5xx, timeouts and network errors are retried with exponential back-off. */
function nextDeliveryState(context: WriteContext, attemptNumber: number, result: DeliveryResult): Partial<DeliveryRow> {
  const { attempts, baseDelayMs } = retryPolicy(context.service.settings);
  if (isDelivered(result)) return { state: "delivered" };
  const { status, error } = result;
  const isRejected = status !== null && status >= 400 && status < 500;
  if (isRejected || error === "blocked_webhook_url" || attemptNumber >= attempts) return { state: "failed" };
  const due_at = context.now + baseDelayMs * 2 ** (attemptNumber - 1);
  context.scheduleDeliveryAt(due_at);
  return { state: "waiting", due_at };
}

/** Returns false when a reset of the sandbox deleted the delivery. */
async function updateDelivery(context: WriteContext, deliveryId: string, to: Partial<DeliveryRow>): Promise<boolean> {
  const updated = await context.database
    .updateTable("deliveries")
    .set(to)
    .where("delivery_id", "=", deliveryId)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}
