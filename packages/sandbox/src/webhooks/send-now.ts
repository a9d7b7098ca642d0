import { iso } from "../service/clock.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import { changeState, type Service } from "../service/service.ts";
import type { DeliveryLogRow, EndpointRow, EventRow } from "../storage/tables.ts";
import { post } from "./attempt.ts";
import { isDelivered, logAttempt } from "./delivery-logs.ts";
import { isSubscribed } from "./events.ts";
import { type Letter, signatures, writeLetter } from "./letter.ts";
import type { Receipt } from "./send.ts";

/**
 * POST /webhooks/{id}/test: `test.webhook` to this endpoint at once, active or not, subscribed to it or not.
 * @throws Refusal `bad_request` when the receiver does not answer 2xx
 */
export async function sendTestEvent(service: Service, endpoint: EndpointRow): Promise<DeliveryLogRow> {
  const event = testEvent(service, endpoint);
  const letter = writeLetter(service, event, endpoint);
  const { receipt, durationMs } = await timed(service, endpoint, letter);
  const state = isDelivered(receipt) ? ("delivered" as const) : ("failed" as const);
  const log = await changeState(service, async (change) => {
    const deliveryId = service.ids.uuid();
    const delivery = { delivery_id: deliveryId, event_id: event.event_id, webhook_id: endpoint.webhook_id };
    await change.rows.insertInto("events").values(event).execute();
    await change.rows
      .insertInto("deliveries")
      .values({ ...delivery, state, attempts: 1, due_at: change.now, held: 0, created_at: change.now })
      .execute();
    return logAttempt(change, { deliveryId, attempt: 1, event: event.event, endpoint, letter, receipt, durationMs });
  });
  refuseFailed(receipt);
  return log;
}

/**
 * POST /webhooks/{webhook_id}/logs/{log_id}/retry: the very bytes of a failed attempt once more, signed with the
 * endpoint's secret of today.
 * @throws Refusal `conflict` when the endpoint does not want them (any more), `bad_request` when it does not answer 2xx
 */
export async function retryDelivery(
  service: Service,
  endpoint: EndpointRow,
  failed: DeliveryLogRow,
): Promise<DeliveryLogRow> {
  refuseUnwanted(endpoint, failed);
  const signature = signatures(failed.payload, endpoint, service.settings, service.clock.now());
  const letter: Letter = {
    eventId: failed.event_id,
    body: failed.payload,
    headers: { ...JSON.parse(failed.headers_json), "X-Service-Signature": signature },
  };
  const { receipt, durationMs } = await timed(service, endpoint, letter);
  const log = await changeState(service, async (change) => {
    const delivery = await change.rows
      .selectFrom("deliveries")
      .selectAll()
      .where("delivery_id", "=", failed.delivery_id)
      .executeTakeFirst();
    if (delivery === undefined) throw notFound("Delivery log");
    const attempt = delivery.attempts + 1;
    await change.rows
      .updateTable("deliveries")
      .set({ attempts: attempt, state: isDelivered(receipt) ? "delivered" : delivery.state })
      .where("delivery_id", "=", delivery.delivery_id)
      .execute();
    const { event_type: event, delivery_id: deliveryId } = failed;
    return logAttempt(change, { deliveryId, attempt, event, endpoint, letter, receipt, durationMs });
  });
  refuseFailed(receipt);
  return log;
}

function refuseUnwanted(endpoint: EndpointRow, failed: DeliveryLogRow): void {
  if (failed.success === 1) throw new Refusal("conflict", "This attempt was delivered: there is nothing to retry");
  if (endpoint.is_active === 0) throw new Refusal("conflict", "The webhook is not active");
  if (failed.event_type === "test.webhook" || isSubscribed(endpoint, failed.event_type)) return;
  throw new Refusal("conflict", `The webhook is not subscribed to ${failed.event_type} any more`);
}

function refuseFailed({ status, body, error }: Receipt): void {
  if (error !== null) throw new Refusal("bad_request", `The webhook endpoint did not answer: ${error}`);
  if (isDelivered({ status, body, error })) return;
  throw new Refusal("bad_request", `The webhook endpoint answered ${status}: ${body}`);
}

async function timed(service: Service, endpoint: EndpointRow, letter: Letter) {
  const startedAt = performance.now();
  const receipt = await post(service, endpoint, letter);
  return { receipt, durationMs: Math.round(performance.now() - startedAt) };
}

function testEvent({ ids, clock }: Service, endpoint: EndpointRow): EventRow {
  const now = clock.now();
  const data = {
    id: `obj_test_${ids.uuid()}`,
    organization_id: endpoint.organization_id,
    test: true,
    created: iso(now),
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
