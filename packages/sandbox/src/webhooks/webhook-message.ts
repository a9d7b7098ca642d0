import { type EventName, signWebhook } from "@tillkit/client/webhooks";
import { isoTime } from "../domain/clock.ts";
import { limits } from "../domain/limits.ts";
import type { Settings } from "../domain/settings.ts";
import { withoutLinks } from "../domain/without-links.ts";
import { networkField } from "../organizations/owner.ts";
import type { Service } from "../runtime/service.ts";
import type { EndpointRow, EventRow } from "../storage/webhook-tables.ts";
import { retryPolicy } from "./retry-policy.ts";
import { serialiseEvent, serialiseTestEvent } from "./serialise-event.ts";

/** The body and headers of one attempt. */
export type WebhookMessage = { eventId: string; body: string; headers: Record<string, string> };

/** The `service_environment` of events: the deployment of the service, not test or live. */
const serviceEnvironment = "development";

/** Builds the message of an attempt. Body and signature differ per attempt, because the body contains the time of the attempt. */
export function buildMessage(service: Service, event: EventRow, endpoint: EndpointRow): WebhookMessage {
  const { settings, ids, clock } = service;
  const now = clock.now();
  const isTest = event.event === "test.webhook";
  const eventId = retryPolicy(settings).freshIdPerAttempt && !isTest ? ids.uuid() : event.event_id;
  const body = serialiseBody({ ...event, event_id: eventId }, endpoint, isoTime(now), settings);
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Event": event.event,
    "X-Service-Signature": signatureHeader(body, endpoint, settings, now),
    ...(settings.timestampHeader || isTest ? { "X-Service-Timestamp": isoTime(now) } : {}),
    "User-Agent": "Service-Webhook/1.0",
  };
  return { eventId, body: settings.delivery.tamper ? tamperBody(body) : body, headers };
}

/** The signature with the current secret. With the setting `dualSignature`, the previous secret also signs for 24 hours. */
export function signatureHeader(body: string, endpoint: EndpointRow, settings: Settings, now: number): string {
  const bytes = Buffer.from(body);
  const current = signWebhook(bytes, endpoint.secret);
  const { previous_secret, rotated_at } = endpoint;
  const usesBothSecrets = settings.dualSignature && rotated_at !== null && now - rotated_at < limits.dualSignatureMs;
  return usesBothSecrets && previous_secret !== null ? `${current},${signWebhook(bytes, previous_secret)}` : current;
}

function serialiseBody(event: EventRow, endpoint: EndpointRow, timestamp: string, { thinEvents }: Settings): string {
  const data: Record<string, unknown> = JSON.parse(event.data_json);
  const name = event.event as EventName;
  if (name === "test.webhook") {
    const { webhook_id: webhookId } = endpoint;
    const livemode = event.environment === "live";
    return serialiseTestEvent({ id: event.event_id, timestamp, data, webhookId, livemode, serviceEnvironment });
  }
  return serialiseEvent({
    id: event.event_id,
    event: name,
    timestamp,
    data: applyThinEvents(data, thinEvents),
    serviceEnvironment,
    network: endpoint.organization_id === event.organization_id ? undefined : networkField(event).network,
  });
}

/** The setting `thinEvents`: removes the session id, and with `bare` also the metadata, of payments, refunds and disputes. */
function applyThinEvents(data: Record<string, unknown>, thin: Settings["thinEvents"]): Record<string, unknown> {
  if (thin === false || !("transaction_id" in data)) return data;
  if (thin === "bare") return withoutLinks(data);
  const { checkout_session_id: _, ...rest } = data;
  return rest;
}

/** Changes an amount or a digit of the body. The body stays valid JSON, but its signature no longer matches. */
function tamperBody(body: string): string {
  const withRaisedAmount = body.replace(
    /"(gross_amount|amount)":(\d+)/,
    (_, name, amount) => `"${name}":${Number(amount) + 1}`,
  );
  if (withRaisedAmount !== body) return withRaisedAmount;
  const lastDigit = /\d(?=\D*$)/;
  return body.replace(lastDigit, (digit) => String((Number(digit) + 1) % 10));
}
