import { z } from "zod";
import { EVENT_NAMES } from "../api/event-names.ts";
import {
  environmentSchema,
  idSchema,
  metadataSchema,
  storedMetadataSchema,
  timeSchema,
  webUrlSchema,
} from "./common.ts";

const eventsSchema = z
  .array(z.enum(EVENT_NAMES, { error: "must be an event name of the service" }))
  .min(1, { error: "must name at least one event" });

/** Body of POST /webhooks. */
export const webhookEndpointRequestSchema = z.object({
  url: webUrlSchema,
  authorized_events: eventsSchema,
  description: z.string().optional(),
  metadata: metadataSchema.optional(),
});

/** Body of PATCH /webhooks/{id}; every field is optional. */
export const webhookEndpointUpdateSchema = z.object({
  url: webUrlSchema.optional(),
  is_active: z.boolean().optional(),
  authorized_events: eventsSchema.optional(),
  metadata: metadataSchema.optional(),
  /** True: the response holds a new `secret`, once. */
  rotate_secret: z.boolean().optional(),
});

/** Response of every webhook route; only a response that creates or rotates the secret has `secret`. */
export const webhookEndpointSchema = z.object({
  id: z.string().regex(/^wh_/),
  webhook_id: z.string(),
  url: z.url(),
  is_active: z.boolean(),
  authorized_events: z.array(z.string()),
  metadata: storedMetadataSchema,
  description: z.string().nullable(),
  environment: environmentSchema,
  organization_id: idSchema,
  created_by: idSchema,
  created_at: timeSchema,
  updated_at: timeSchema,
  last_triggered_at: timeSchema.nullable(),
  last_response_status: z.int().nullable(),
  last_response_body: z.string().nullable(),
  retry_count: z.int(),
  secret: z
    .string()
    .regex(/^whsec_/)
    .optional(),
});
