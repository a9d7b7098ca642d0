import { ApiError, conflict, notFound } from "../domain/api-error.ts";
import { isoTime } from "../domain/clock.ts";
import { inDatabaseTransaction, type Service } from "../runtime/service.ts";
import type { DeliveryLogRow, EndpointRow, EventRow } from "../storage/webhook-tables.ts";
import { sendMessage } from "./attempt-delivery.ts";
import { isDelivered, logAttempt } from "./delivery-logs.ts";
import { isSubscribed } from "./events.ts";
import type { DeliveryResult } from "./post-delivery.ts";
import { buildMessage, signatureHeader, type WebhookMessage } from "./webhook-message.ts";

/**
 * POST /webhooks/{id}/test: sends `test.webhook` to this endpoint at once, even if the endpoint is inactive.
 * @throws ApiError `bad_request` when the receiver does not answer 2xx
 */
export async function sendTestEvent(service: Service, endpoint: EndpointRow): Promise<DeliveryLogRow> {
  const event = buildTestEvent(service, endpoint);
  const message = buildMessage(service, event, endpoint);
  const { result, durationMs } = await sendAndTime(service, endpoint, message);
  const state = isDelivered(result) ? ("delivered" as const) : ("failed" as const);
  const log = await inDatabaseTransaction(service, async (context) => {
    const deliveryId = service.ids.uuid();
    const delivery = { delivery_id: deliveryId, event_id: event.event_id, webhook_id: endpoint.webhook_id };
    await context.database.insertInto("events").values(event).execute();
    await context.database
      .insertInto("deliveries")
      .values({ ...delivery, state, attempts: 1, due_at: context.now, held_back: 0, created_at: context.now })
      .execute();
    return logAttempt(context, {
      deliveryId,
      attemptNumber: 1,
      eventName: event.event,
      endpoint,
      message,
      result,
      durationMs,
    });
  });
  assertDelivered(result);
  return log;
}

/**
 * POST /webhooks/{webhook_id}/logs/{log_id}/retry: sends the bytes of a failed attempt again, signed with the current
 * secret of the endpoint.
 * @throws ApiError `conflict` when the endpoint is inactive, is not subscribed or has received the event, `bad_request` when the
 *   endpoint does not answer 2xx
 */
export async function retryDelivery(
  service: Service,
  endpoint: EndpointRow,
  failed: DeliveryLogRow,
): Promise<DeliveryLogRow> {
  assertRetryable(endpoint, failed);
  const signature = signatureHeader(failed.payload, endpoint, service.settings, service.clock.now());
  const message: WebhookMessage = {
    eventId: failed.event_id,
    body: failed.payload,
    headers: { ...JSON.parse(failed.headers_json), "X-Service-Signature": signature },
  };
  const { result, durationMs } = await sendAndTime(service, endpoint, message);
  const log = await inDatabaseTransaction(service, async (context) => {
    const delivery = await context.database
      .selectFrom("deliveries")
      .selectAll()
      .where("delivery_id", "=", failed.delivery_id)
      .executeTakeFirst();
    if (delivery === undefined) throw notFound("Delivery log");
    const attemptNumber = delivery.attempts + 1;
    await context.database
      .updateTable("deliveries")
      .set({ attempts: attemptNumber, state: isDelivered(result) ? "delivered" : delivery.state })
      .where("delivery_id", "=", delivery.delivery_id)
      .execute();
    return logAttempt(context, {
      deliveryId: failed.delivery_id,
      attemptNumber,
      eventName: failed.event_type,
      endpoint,
      message,
      result,
      durationMs,
    });
  });
  assertDelivered(result);
  return log;
}

function assertRetryable(endpoint: EndpointRow, failed: DeliveryLogRow): void {
  const { webhook_id } = endpoint;
  const { log_id, event_type } = failed;
  if (failed.success === 1) {
    throw conflict("This attempt was delivered: there is nothing to retry", { webhook_id, log_id, success: true });
  }
  if (endpoint.is_active === 0) throw conflict("The webhook is not active", { webhook_id, is_active: false });
  if (event_type === "test.webhook" || isSubscribed(endpoint, event_type)) return;
  throw conflict(`The webhook is not subscribed to ${event_type}`, { webhook_id, log_id, event_type });
}

function assertDelivered({ status, body, error }: DeliveryResult): void {
  if (error !== null) throw new ApiError("bad_request", `The webhook endpoint did not answer: ${error}`);
  if (isDelivered({ status, body, error })) return;
  const answered = body === null || body === "" ? " with an empty body" : `: ${body}`;
  throw new ApiError("bad_request", `The webhook endpoint answered ${status}${answered}`);
}

async function sendAndTime(service: Service, endpoint: EndpointRow, message: WebhookMessage) {
  const startedAt = performance.now();
  const result = await sendMessage(service, endpoint, message);
  return { result, durationMs: Math.round(performance.now() - startedAt) };
}

function buildTestEvent({ ids, clock }: Service, endpoint: EndpointRow): EventRow {
  const now = clock.now();
  const data = {
    id: `obj_test_${ids.uuid()}`,
    organization_id: endpoint.organization_id,
    test: true,
    created: isoTime(now),
    status: "success",
    amount: 1000,
    currency: "XOF",
    description: "Test event",
    metadata: { test_mode: true, webhook_id: endpoint.webhook_id, source: "webhook_test" },
  };
  return {
    event_id: `evt_test_${ids.uuid()}`,
    organization_id: endpoint.organization_id,
    environment: endpoint.environment,
    membership_id: null,
    account: null,
    event: "test.webhook",
    session_id: null,
    transaction_id: null,
    data_json: JSON.stringify(data),
    created_at: now,
  };
}
