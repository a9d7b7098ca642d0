export {
  type CheckoutSession,
  type OpenedCheckoutSession,
  readCheckoutSession,
  readOpenedCheckoutSession,
} from "./answers/checkout-session.ts";
export type { ErrorDetails } from "./answers/error-answer.ts";
export type { EventName, ServiceEvent } from "./answers/event.ts";
export type { Known, Row } from "./answers/fields.ts";
export { readTransaction, type Transaction, type TransactionStatus } from "./answers/transaction.ts";
export { type Page, unwrapList } from "./answers/unwrap.ts";
export { readWebhookEndpoint, type WebhookEndpoint } from "./answers/webhook-endpoint.ts";
export type { CallOptions, PlainCallOptions, Reply } from "./call/call-options.ts";
export type { Clock, Random } from "./clock.ts";
export { redact } from "./redact.ts";
export type { CheckoutSessions } from "./resources/checkout-sessions.ts";
export type { TransactionQuery, Transactions } from "./resources/transactions.ts";
export type { Webhooks } from "./resources/webhooks.ts";
export type { CheckoutSessionRequest } from "./schemas/checkout-session.ts";
export type { WebhookEndpointRequest, WebhookEndpointUpdate } from "./schemas/webhook-endpoint.ts";
export { createServiceClient, type ServiceClient, type ServiceClientOptions } from "./service-client.ts";
export { CLIENT_CODES, isServiceError, SERVICE_CODES, ServiceError, type ServiceErrorCode } from "./service-error.ts";
export { createNodeTransport } from "./transport/node-transport.ts";
export type { Transport, TransportAnswer, TransportRequest } from "./transport/transport.ts";
