import { EVENT_NAMES, type EventName } from "@tillkit/client/webhooks";
import { z } from "zod";
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from "zod-openapi";
import { eventDataSchemas } from "./event-schemas.ts";

/** What each event means. */
const meanings: Record<EventName, string> = {
  PAYMENT_CREATED: "A payment attempt was started",
  PAYMENT_SUCCEEDED: "A payment succeeded",
  PAYMENT_FAILED: "A payment attempt or the renewal of a subscription failed",
  SUBSCRIPTION_CREATED: "A subscription was created",
  SUBSCRIPTION_UPDATED: "A subscription changed and goes on: pause, resume, plan change, cancellation scheduled",
  SUBSCRIPTION_RENEWED: "A subscription was renewed",
  SUBSCRIPTION_CANCELLED: "A subscription was cancelled or has expired",
  REFUND_CREATED: "A refund was requested",
  REFUND_COMPLETED: "A refund was processed",
  REFUND_FAILED: "A refund failed",
  DISPUTE_CREATED: "A card payment was disputed",
  DISPUTE_UPDATED: "The status or the evidence of a dispute changed",
  DISPUTE_CLOSED: "A dispute was decided",
  "test.webhook": "A test event that a merchant requested; it belongs to no payment",
};

/** The `webhooks` of the document: what the service sends to a webhook endpoint, by event. */
export const webhooks: ZodOpenApiPathsObject = Object.fromEntries(
  EVENT_NAMES.map((event): [string, ZodOpenApiPathItemObject] => [
    event,
    {
      post: {
        operationId: `WebhookEvents_${event.replace(".", "_")}`,
        summary: meanings[event],
        tags: ["webhooks"],
        security: [],
        parameters: deliveryHeaders(event),
        requestBody: { required: true, content: { "application/json": { schema: envelope(event) } } },
        responses: {
          "2XX": { description: "Delivered. Answer within 4 seconds, and do slow work later" },
          "4XX": { description: "Refused: the delivery has failed and is not retried" },
          "5XX": { description: "Failed for now: the delivery is retried in growing intervals, five attempts in all" },
        },
      },
    },
  ]),
);

function envelope(event: EventName): z.ZodType {
  const data = eventDataSchemas[event];
  const common = { event: z.literal(event), timestamp: z.iso.datetime(), data, service_environment: z.string() };
  if (event !== "test.webhook") return z.object({ id: z.guid(), ...common });
  return z.object({
    id: z.string().regex(/^evt_test_/),
    ...common,
    type: z.literal(event),
    created: z.iso.datetime(),
    livemode: z.boolean(),
    webhook_id: z.string().regex(/^wh_/),
  });
}

/** Deliveries carry no `Authorization` and no `X-API-Key`: the signature authenticates them. */
function deliveryHeaders(event: EventName) {
  const header = { in: "header" as const, required: true };
  return [
    {
      ...header,
      name: "X-Service-Signature",
      description: "HMAC-SHA256 of the raw body in hexadecimal digits, keyed with the whole `whsec_…` of the endpoint.",
      schema: { type: "string" as const, pattern: "^[0-9a-f]{64}(,\\s*[0-9a-f]{64})*$" },
    },
    {
      ...header,
      name: "X-Service-Event",
      description: "The name of the event. The signature does not cover it: trust the body.",
      schema: { type: "string" as const, enum: [event] },
    },
    {
      ...header,
      required: false,
      name: "X-Service-Timestamp",
      description: "The `timestamp` of the body, on some deliveries. The signature does not cover it.",
      schema: { type: "string" as const, format: "date-time" },
    },
  ];
}
