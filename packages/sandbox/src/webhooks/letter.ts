import { type EventName, signWebhook } from "@tillkit/client/webhooks";
import { limits } from "../limits.ts";
import { networkJson } from "../network/delegation.ts";
import { iso } from "../service/clock.ts";
import type { Service } from "../service/service.ts";
import type { Settings } from "../service/settings.ts";
import type { EndpointRow, EventRow } from "../storage/tables.ts";
import { planOf } from "./delivery-plan.ts";
import { serialiseEvent, serialiseTestEvent } from "./serialise-event.ts";

/** What one attempt sends. */
export type Letter = { eventId: string; body: string; headers: Record<string, string> };

/** The deployment that sends, as `service_environment` names it: not test or live. */
const serviceEnvironment = "development";

/** The body is written anew for every attempt: its timestamp is the attempt's, so its signature differs too. */
export function writeLetter(service: Service, event: EventRow, endpoint: EndpointRow): Letter {
  const { settings, ids, clock } = service;
  const now = clock.now();
  const isTest = event.event === "test.webhook";
  const eventId = planOf(settings).freshIdPerAttempt && !isTest ? ids.uuid() : event.event_id;
  const body = bodyOf({ ...event, event_id: eventId }, endpoint, iso(now), settings);
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Event": event.event,
    "X-Service-Signature": signatures(body, endpoint, settings, now),
    ...(settings.timestampHeader || isTest ? { "X-Service-Timestamp": iso(now) } : {}),
    "User-Agent": "Service-Webhook/1.0",
  };
  return { eventId, body: settings.delivery.tamper ? tampered(body) : body, headers };
}

/** The current secret's signature, and after a rotation the old one's too if the switch says so. */
export function signatures(body: string, endpoint: EndpointRow, settings: Settings, now: number): string {
  const bytes = Buffer.from(body);
  const current = signWebhook(bytes, endpoint.secret);
  const { previous_secret, rotated_at } = endpoint;
  const both = settings.dualSignature && rotated_at !== null && now - rotated_at < limits.dualSignatureMs;
  return both && previous_secret !== null ? `${current},${signWebhook(bytes, previous_secret)}` : current;
}

function bodyOf(event: EventRow, endpoint: EndpointRow, timestamp: string, { thinEvents }: Settings): string {
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
    data: thinned(data, thinEvents),
    serviceEnvironment,
    network: endpoint.organization_id === event.organization_id ? undefined : networkJson(event).network,
  });
}

/** Of payments and refunds; the other events name no session. */
function thinned(data: Record<string, unknown>, thin: Settings["thinEvents"]): Record<string, unknown> {
  if (thin === false || !("checkout_session_id" in data)) return data;
  const { checkout_session_id: _, ...rest } = data;
  return thin === "bare" ? { ...rest, metadata: null } : rest;
}

/** A body that still reads well and says something else than what was signed. */
function tampered(body: string): string {
  const raised = body.replace(/"(gross_amount|amount)":(\d+)/, (_, name, amount) => `"${name}":${Number(amount) + 1}`);
  return raised === body ? body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) : raised;
}
