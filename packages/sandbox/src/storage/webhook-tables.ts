import type { Environment } from "../domain/environment.ts";
import type { DelegationColumns } from "./network-tables.ts";

export type EndpointRow = {
  webhook_id: string;
  organization_id: string;
  environment: Environment;
  /** The id of the merchant that created the endpoint. */
  created_by: string;
  url: string;
  is_active: number;
  authorized_events_json: string;
  metadata_json: string;
  description: string | null;
  secret: string;
  previous_secret: string | null;
  rotated_at: number | null;
  last_triggered_at: number | null;
  last_response_status: number | null;
  last_response_body: string | null;
  /** The number of retries before the last result. */
  retry_count: number;
  created_at: number;
  updated_at: number;
};

export type EventRow = DelegationColumns & {
  event_id: string;
  organization_id: string;
  environment: Environment;
  event: string;
  session_id: string | null;
  transaction_id: string | null;
  /** The `data` of the event envelope at the time of the event. */
  data_json: string;
  created_at: number;
};

export type DeliveryRow = {
  delivery_id: string;
  event_id: string;
  webhook_id: string;
  state: "waiting" | "delivered" | "failed" | "dropped";
  attempts: number;
  /** The due time of the next attempt, on the clock of the sandbox. */
  due_at: number;
  /** 1 while the setting `delivery.reorder` holds the delivery back until a later event has overtaken it. */
  held_back: number;
  created_at: number;
};

export type DeliveryLogRow = {
  log_id: string;
  delivery_id: string;
  webhook_id: string;
  organization_id: string;
  environment: Environment;
  event_type: string;
  event_id: string;
  /** The exact text that was sent. */
  payload: string;
  headers_json: string;
  response_status: number | null;
  response_body: string | null;
  attempt_number: number;
  success: number;
  error: "timeout" | "network_error" | "blocked_webhook_url" | null;
  request_duration_ms: number;
  created_at: number;
};
