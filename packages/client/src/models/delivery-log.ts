import {
  booleanField,
  enumField,
  isJsonObject,
  type JsonObject,
  numberField,
  type OpenEnum,
  stringField,
  timeField,
  unwrapObject,
} from "./json-fields.ts";

/** One attempt to deliver an event, as the service returned it. Fields missing from the response are undefined. */
export type DeliveryLog = {
  readonly id: string;
  readonly webhookId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  /** The body that was delivered; `parseEvent` of `@tillkit/client/webhooks` reads it. Undefined when it is no JSON object. */
  readonly payload?: JsonObject | undefined;
  readonly success?: boolean | undefined;
  readonly attemptNumber?: number | undefined;
  /** The HTTP status of the receiver's response; undefined when the receiver did not respond. */
  readonly responseStatus?: number | undefined;
  /** The receiver's response, truncated by the service. */
  readonly responseBody?: string | undefined;
  readonly error?: OpenEnum<"timeout" | "network_error" | "blocked_webhook_url"> | undefined;
  readonly durationMs?: number | undefined;
  /** In milliseconds since 1970. */
  readonly createdAt?: number | undefined;
};

export function parseDeliveryLog(response: unknown): DeliveryLog | null {
  const fields = unwrapObject(response, ["id", "log_id"]);
  const id = fields && stringField(fields, "id", "log_id");
  if (!fields || !id) return null;
  return {
    id,
    webhookId: stringField(fields, "webhook_id"),
    eventType: stringField(fields, "event_type"),
    eventId: stringField(fields, "event_id"),
    payload: jsonField(fields, "payload"),
    success: booleanField(fields, "success"),
    attemptNumber: numberField(fields, "attempt_number"),
    responseStatus: numberField(fields, "response_status"),
    responseBody: stringField(fields, "response_body"),
    error: enumField(fields, "error"),
    durationMs: numberField(fields, "request_duration_ms"),
    createdAt: timeField(fields, "created_at"),
  };
}

/** An object, or the text of one. */
function jsonField(fields: JsonObject, name: string): JsonObject | undefined {
  const value = fields[name];
  if (typeof value !== "string") return isJsonObject(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A test event or a manual retry that the receiver accepted with a 2xx status. */
export type DeliveryResult = {
  readonly responseStatus?: number | undefined;
  readonly logId?: string | undefined;
  readonly eventId?: string | undefined;
};

export function parseDeliveryResult(response: unknown): DeliveryResult | null {
  const fields = unwrapObject(response, ["success", "delivered"]);
  if (fields === null || (fields.success !== true && fields.delivered !== true)) return null;
  return {
    responseStatus: numberField(fields, "response_status") ?? numberField(fields, "status"),
    logId: stringField(fields, "log_id"),
    eventId: stringField(fields, "event_id"),
  };
}
