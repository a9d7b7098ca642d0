import { z } from "zod";
import { idSchema, timeSchema } from "./common.ts";
import { limitSchema, queryFlagSchema } from "./list.ts";

/** Item of GET /webhooks/{id}/logs and response of GET /webhook-delivery-logs/{id}: one attempt. */
export const deliveryLogSchema = z.object({
  id: idSchema,
  log_id: idSchema,
  webhook_id: z.string().regex(/^wh_/),
  organization_id: idSchema,
  event_type: z.string(),
  event_id: z.string(),
  payload: z.unknown(),
  response_status: z.int().nullable(),
  response_body: z.string().nullable(),
  attempt_number: z.int().min(1),
  success: z.boolean(),
  headers: z.record(z.string(), z.unknown()).nullable(),
  request_duration_ms: z.number().nullable(),
  ip_address: z.string().nullable(),
  user_agent: z.string().nullable(),
  error: z.enum(["timeout", "network_error", "blocked_webhook_url"]).nullable(),
  created_at: timeSchema,
});

/** Query of GET /webhooks/{id}/logs. */
export const deliveryLogQuerySchema = z.object({
  limit: limitSchema,
  offset: z.coerce.number({ error: "must be a number" }).int().min(0).optional(),
  success: queryFlagSchema,
  failed: queryFlagSchema,
});

/** Response of POST /webhooks/{id}/test. */
export const webhookTestSchema = z.object({
  success: z.literal(true),
  status: z.int(),
  response: z.string(),
  delivered_url: z.url(),
  log_id: idSchema,
});

/** Response of POST /webhooks/{webhook_id}/logs/{log_id}/retry. */
export const deliveryRetrySchema = z.object({
  delivered: z.literal(true),
  response_status: z.int(),
  event_id: z.string(),
});
