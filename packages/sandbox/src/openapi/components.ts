import * as schemas from "@tillkit/client/schemas";
import type { ZodOpenApiComponentsObject, ZodOpenApiResponseObject } from "zod-openapi";
import { eventComponents } from "./event-schemas.ts";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** The headers of every response. */
const headers = {
  "X-Request-Id": {
    description: "The `request_id` of this response.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Service-Version": { description: "Version of the schema of this response.", required: true, schema: text },
  "X-RateLimit-Limit": {
    description:
      "Requests allowed in one window. Of several limits, the headers describe the limit with the fewest requests left.",
    schema: count,
  },
  "X-RateLimit-Remaining": { description: "Requests left in this window.", schema: count },
  "X-RateLimit-Window-Seconds": { description: "Length of this window.", schema: count },
  RateLimit: {
    description: "Requests left in this window and seconds to its reset, as a structured field.",
    schema: text,
  },
  "RateLimit-Policy": { description: "Limit and length of this window as a structured field.", schema: text },
  "Retry-After": { description: "Seconds to wait.", required: true, schema: count },
  "Idempotency-Cache-Hit": { description: "`true`: this is the stored first response.", schema: { const: "true" } },
} as const;

type HeaderName = keyof typeof headers;
const commonHeaders: readonly HeaderName[] = [
  "X-Request-Id",
  "Service-Version",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Window-Seconds",
  "RateLimit",
  "RateLimit-Policy",
];

/** References to the headers of a response. */
export function responseHeaders(...more: readonly HeaderName[]) {
  const names = [...commonHeaders, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}

/** The meaning of each error status. */
export const errorDescriptions = {
  400: "Invalid or missing parameters",
  401: "No valid API key",
  403: "The key lacks rights, API access is suspended, or the network of organizations does not allow the request for this account",
  404: "Not found for this organization",
  409: "Conflict with the current state, or with an Idempotency-Key",
  429: "Rate limit exceeded",
  500: "Internal error",
  503: "The service or the payment method is temporarily unavailable",
} as const;
export type ErrorStatus = keyof typeof errorDescriptions;

const errorResponses = Object.fromEntries(
  Object.entries(errorDescriptions).map(([status, description]): [string, ZodOpenApiResponseObject] => [
    `Refusal${status}`,
    {
      description,
      headers: responseHeaders(...(status === "429" ? (["Retry-After"] as const) : [])),
      content: { "application/json": { schema: schemas.errorSchema } },
    },
  ]),
);

/** Shared components. The document refers to each schema that has a name here. */
export const components: ZodOpenApiComponentsObject = {
  headers,
  responses: errorResponses,
  securitySchemes: {
    ApiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The secret key." },
    ServiceApiKey: {
      type: "apiKey",
      in: "header",
      name: "x-service-api-key",
      description: "The secret key in a header of another name.",
    },
    Bearer: { type: "http", scheme: "bearer", description: "The secret key as a bearer token." },
  },
  // A request body has the name of its object with `Request` or `Update` at the end. `PaymentRequest` is such an object itself.
  schemas: {
    Balance: schemas.balanceSchema,
    CardCharge: schemas.cardChargeSchema,
    CardChargeRequest: schemas.cardChargeRequestSchema,
    CheckoutSession: schemas.checkoutSessionSchema,
    CheckoutSessionRequest: schemas.checkoutSessionRequestSchema,
    ConfirmationPreview: schemas.confirmationPreviewSchema,
    Customer: schemas.customerSchema,
    CustomerRequest: schemas.customerRequestSchema,
    CustomerUpdate: schemas.customerUpdateSchema,
    DeliveryLog: schemas.deliveryLogSchema,
    DeliveryRetry: schemas.deliveryRetrySchema,
    Error: schemas.errorSchema,
    ...eventComponents,
    InstantSettlement: schemas.instantSettlementSchema,
    InstantSettlementRequest: schemas.instantSettlementRequestSchema,
    Merchant: schemas.merchantSchema,
    MtnCharge: schemas.mtnChargeSchema,
    MtnChargeRequest: schemas.mtnChargeRequestSchema,
    Organization: schemas.organizationSchema,
    PaymentRequest: schemas.paymentRequestSchema,
    PaymentRequestRequest: schemas.paymentRequestRequestSchema,
    Payout: schemas.payoutSchema,
    PayoutRequest: schemas.payoutRequestSchema,
    Provider: schemas.providerSchema,
    Refund: schemas.refundSchema,
    RefundCreated: schemas.refundCreatedSchema,
    RefundRequest: schemas.refundRequestSchema,
    Transaction: schemas.transactionSchema,
    WaveCharge: schemas.waveChargeSchema,
    WaveChargeRequest: schemas.waveChargeRequestSchema,
    WebhookEndpoint: schemas.webhookEndpointSchema,
    WebhookEndpointRequest: schemas.webhookEndpointRequestSchema,
    WebhookEndpointUpdate: schemas.webhookEndpointUpdateSchema,
    WebhookTest: schemas.webhookTestSchema,
  },
};
