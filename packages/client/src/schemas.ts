export {
  type CheckoutSessionRequest,
  checkoutSessionRequestSchema,
  checkoutSessionSchema,
  INTEGRATION_SOURCES,
} from "./schemas/checkout-session.ts";
export { amountSchema, CURRENCIES, currencyCodeSchema, environmentSchema, metadataSchema } from "./schemas/common.ts";
export { errorSchema } from "./schemas/error.ts";
export { listQuerySchema, listSchema } from "./schemas/list.ts";
export { TRANSACTION_STATUSES, transactionSchema } from "./schemas/transaction.ts";
export {
  type WebhookEndpointRequest,
  type WebhookEndpointUpdate,
  webhookEndpointRequestSchema,
  webhookEndpointSchema,
  webhookEndpointUpdateSchema,
} from "./schemas/webhook-endpoint.ts";
