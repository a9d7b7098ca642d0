import { flag, instant, type Known, number, text } from "./fields.ts";
import { unwrapOne } from "./unwrap.ts";

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
  readonly error?: Known<"timeout" | "network_error" | "blocked_webhook_url"> | undefined;
  readonly durationMs?: number | undefined;
  readonly createdAt?: number | undefined;
};

export function readDeliveryLog(answer: unknown): DeliveryLog | null {
  const found = unwrapOne(answer, ["id", "log_id"]);
  const id = found && text(found, "id", "log_id");
  if (!found || !id) return null;
  return {
    id,
    webhookId: text(found, "webhook_id"),
    eventType: text(found, "event_type"),
    eventId: text(found, "event_id"),
    success: flag(found, "success"),
    attemptNumber: number(found, "attempt_number"),
    responseStatus: number(found, "response_status"),
    responseBody: text(found, "response_body"),
    error: text(found, "error"),
    durationMs: number(found, "request_duration_ms"),
    createdAt: instant(found, "created_at"),
  };
}

/** Answer of the test route and of a manual retry: the receiver answered 2xx. */
export type DeliveryProof = {
  readonly responseStatus?: number | undefined;
  readonly logId?: string | undefined;
  readonly eventId?: string | undefined;
};

export function readDeliveryProof(answer: unknown): DeliveryProof | null {
  const found = unwrapOne(answer, ["success", "delivered"]);
  if (found === null || (found.success !== true && found.delivered !== true)) return null;
  return {
    responseStatus: number(found, "response_status") ?? number(found, "status"),
    logId: text(found, "log_id"),
    eventId: text(found, "event_id"),
  };
}
