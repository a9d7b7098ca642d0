import { booleanField, numberField, type OpenEnum, stringField, timeField } from "./json-fields.ts";
import { unwrapObject } from "./unwrap.ts";

/** One attempt to deliver an event, as an answer showed it; undefined = not said. */
export type DeliveryLog = {
  readonly id: string;
  readonly webhookId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  readonly success?: boolean | undefined;
  readonly attemptNumber?: number | undefined;
  /** Undefined when the receiver did not answer. */
  readonly responseStatus?: number | undefined;
  /** What the receiver answered, cut by the service. */
  readonly responseBody?: string | undefined;
  readonly error?: OpenEnum<"timeout" | "network_error" | "blocked_webhook_url"> | undefined;
  readonly durationMs?: number | undefined;
  readonly createdAt?: number | undefined;
};

export function readDeliveryLog(answer: unknown): DeliveryLog | null {
  const found = unwrapObject(answer, ["id", "log_id"]);
  const id = found && stringField(found, "id", "log_id");
  if (!found || !id) return null;
  return {
    id,
    webhookId: stringField(found, "webhook_id"),
    eventType: stringField(found, "event_type"),
    eventId: stringField(found, "event_id"),
    success: booleanField(found, "success"),
    attemptNumber: numberField(found, "attempt_number"),
    responseStatus: numberField(found, "response_status"),
    responseBody: stringField(found, "response_body"),
    error: stringField(found, "error"),
    durationMs: numberField(found, "request_duration_ms"),
    createdAt: timeField(found, "created_at"),
  };
}

/** Answer of the test route and of a manual retry: the receiver answered 2xx. */
export type DeliveryResult = {
  readonly responseStatus?: number | undefined;
  readonly logId?: string | undefined;
  readonly eventId?: string | undefined;
};

export function readDeliveryResult(answer: unknown): DeliveryResult | null {
  const found = unwrapObject(answer, ["success", "delivered"]);
  if (found === null || (found.success !== true && found.delivered !== true)) return null;
  return {
    responseStatus: numberField(found, "response_status") ?? numberField(found, "status"),
    logId: stringField(found, "log_id"),
    eventId: stringField(found, "event_id"),
  };
}
