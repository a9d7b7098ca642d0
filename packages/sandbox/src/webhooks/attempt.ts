import { type EventName, signWebhook } from "@tillkit/client/webhooks";
import { limits } from "../limits.ts";
import { iso } from "../service/clock.ts";
import { type Change, changeState, type Service } from "../service/service.ts";
import type { Settings } from "../service/settings.ts";
import type { DeliveryRow, EndpointRow, EventRow } from "../storage/tables.ts";
import { isSubscribed } from "./events.ts";
import { type Receipt, send } from "./send.ts";
import { serialiseEvent } from "./serialise-event.ts";

/** The deployment that sends, as `service_environment` names it: not test or live. */
const serviceEnvironment = "development";

/** One attempt of one delivery, and what is written down about it. Nothing is written when `signal` ended it. */
export async function attemptDelivery(service: Service, delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
  const [event, endpoint] = await addressee(service, delivery);
  if (event === undefined || endpoint === undefined || !endpoint.is_active || !isSubscribed(endpoint, event.event)) {
    await changeState(service, (change) => settle(change, delivery, { state: "dropped" }));
    return;
  }
  const letter = writeLetter(service, event, endpoint);
  const startedAt = performance.now();
  const receipt = await post(service, delivery, endpoint, letter, signal);
  if (signal.aborted) return;
  const durationMs = Math.round(performance.now() - startedAt);
  await changeState(service, (change) => writeDown(change, { delivery, event, endpoint, letter, receipt, durationMs }));
}

type Letter = { eventId: string; body: string; headers: Record<string, string> };

type Attempted = {
  delivery: DeliveryRow;
  event: EventRow;
  endpoint: EndpointRow;
  letter: Letter;
  receipt: Receipt;
  durationMs: number;
};

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

/** The body is written anew for every attempt: its timestamp is the attempt's, so its signature differs too. */
function writeLetter(service: Service, event: EventRow, endpoint: EndpointRow): Letter {
  const { settings, ids, clock } = service;
  const eventId = settings.delivery.freshIdPerAttempt ? ids.uuid() : event.event_id;
  const timestamp = iso(clock.now());
  const body = serialiseEvent({
    id: eventId,
    event: event.event as EventName,
    timestamp,
    data: thinned(JSON.parse(event.data_json), settings.thinEvents),
    serviceEnvironment,
  });
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Event": event.event,
    "X-Service-Signature": signatures(body, endpoint, settings, clock.now()),
    ...(settings.timestampHeader ? { "X-Service-Timestamp": timestamp } : {}),
    "User-Agent": "Service-Webhook/1.0",
  };
  return { eventId, body: settings.delivery.tamper ? tampered(body) : body, headers };
}

function signatures(body: string, endpoint: EndpointRow, settings: Settings, now: number): string {
  const bytes = Buffer.from(body);
  const current = signWebhook(bytes, endpoint.secret);
  const { previous_secret, rotated_at } = endpoint;
  const both = settings.dualSignature && rotated_at !== null && now - rotated_at < limits.dualSignatureMs;
  return both && previous_secret !== null ? `${current},${signWebhook(bytes, previous_secret)}` : current;
}

async function post(
  { settings }: Service,
  delivery: DeliveryRow,
  endpoint: EndpointRow,
  { body, headers }: Letter,
  signal: AbortSignal,
): Promise<Receipt> {
  const { dropFirst, timeoutMs } = settings.delivery;
  if (delivery.attempts < dropFirst) return { status: null, body: null, error: "network_error" };
  const bytes = Buffer.from(body);
  return send({
    url: endpoint.url,
    headers: { ...headers, "Content-Length": String(bytes.length) },
    bytes,
    timeoutMs,
    allowLoopback: settings.allowLoopbackWebhooks,
    signal,
  });
}

async function writeDown(change: Change, attempted: Attempted): Promise<void> {
  const { delivery, event, endpoint, letter, receipt, durationMs } = attempted;
  const attempt = delivery.attempts + 1;
  const success = receipt.status !== null && receipt.status >= 200 && receipt.status < 300;
  const kept = await settle(change, delivery, { attempts: attempt, ...next(change, attempt, success, receipt) });
  if (!kept) return;
  await change.rows
    .insertInto("delivery_logs")
    .values({
      log_id: change.service.ids.uuid(),
      delivery_id: delivery.delivery_id,
      webhook_id: endpoint.webhook_id,
      organization_id: endpoint.organization_id,
      environment: endpoint.environment,
      event_type: event.event,
      event_id: letter.eventId,
      payload: letter.body,
      headers_json: JSON.stringify(letter.headers),
      response_status: receipt.status,
      response_body: receipt.body,
      attempt_number: attempt,
      success: success ? 1 : 0,
      error: receipt.error,
      request_duration_ms: durationMs,
      created_at: change.now,
    })
    .execute();
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
}

/** 4xx is final and so is a forbidden address; 3xx, 5xx, timeouts and network faults are tried again, twice as late each time. */
function next(change: Change, attempt: number, success: boolean, { status, error }: Receipt): Partial<DeliveryRow> {
  const { attempts, baseDelayMs } = change.service.settings.delivery;
  if (success) return { state: "delivered" };
  const refused = status !== null && status >= 400 && status < 500;
  if (refused || error === "blocked_webhook_url" || attempt >= attempts) return { state: "failed" };
  const due_at = change.now + baseDelayMs * 2 ** (attempt - 1);
  change.expectDelivery(due_at);
  return { state: "waiting", due_at };
}

/** False when the delivery is gone: somebody reset the sandbox meanwhile. */
async function settle(change: Change, { delivery_id }: DeliveryRow, to: Partial<DeliveryRow>): Promise<boolean> {
  const done = await change.rows
    .updateTable("deliveries")
    .set(to)
    .where("delivery_id", "=", delivery_id)
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

function thinned(data: Record<string, unknown>, thin: Settings["thinEvents"]): Record<string, unknown> {
  if (thin === false) return data;
  const { checkout_session_id: _, ...rest } = data;
  return thin === "bare" ? { ...rest, metadata: null } : rest;
}

/** A body that still reads well and says something else than what was signed. */
function tampered(body: string): string {
  return body.replace(/"gross_amount":(\d+)/, (_, amount: string) => `"gross_amount":${Number(amount) + 1}`);
}
