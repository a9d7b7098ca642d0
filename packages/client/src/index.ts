export type { Account, Balance } from "./answers/account.ts";
export type { CardCharge, MobileCharge } from "./answers/charge.ts";
export {
  type CheckoutSession,
  type OpenedCheckoutSession,
  readCheckoutSession,
  readOpenedCheckoutSession,
} from "./answers/checkout-session.ts";
export type { Customer } from "./answers/customer.ts";
export type { DeliveryLog, DeliveryProof } from "./answers/delivery-log.ts";
export type { ErrorDetails } from "./answers/error-answer.ts";
export type { EventName, ServiceEvent } from "./answers/event.ts";
export type { Known, Row } from "./answers/fields.ts";
export type { InstantSettlement, PaymentRequest, Payout } from "./answers/money-movement.ts";
export { NETWORK_PROBLEMS, type NetworkProblem } from "./answers/network-problem.ts";
export type { Merchant, Organization, Provider } from "./answers/organization.ts";
export type { RateLimit } from "./answers/rate-limit.ts";
export { type Refund, readRefund } from "./answers/refund.ts";
export { readTransaction, type Transaction, type TransactionStatus } from "./answers/transaction.ts";
export { type Page, unwrapList } from "./answers/unwrap.ts";
export { readWebhookEndpoint, type WebhookEndpoint } from "./answers/webhook-endpoint.ts";
export { isLoopbackUrl } from "./call/base-url.ts";
export { type Budget, type BudgetWant, createBudget } from "./call/budget.ts";
export type {
  CallOptions,
  KeyedCallOptions,
  PlainCallOptions,
  Reply,
  ScenarioCallOptions,
} from "./call/call-options.ts";
export type { Hooks, ResponseEvent, RetryEvent, TryEvent } from "./call/hooks.ts";
export type { ListCall } from "./call/list-call.ts";
export type { Clock, Random } from "./clock.ts";
export { CHECKOUT_RESERVE, UNTAUGHT_RATES } from "./limits.ts";
export { createServiceClient } from "./node-client.ts";
export { redact } from "./redact.ts";
export type { Accounts } from "./resources/accounts.ts";
export type { Charges } from "./resources/charges.ts";
export type { CheckoutSessions } from "./resources/checkout-sessions.ts";
export type { Customers } from "./resources/customers.ts";
export type { PaymentRequests, Payouts, Settlements } from "./resources/money-movements.ts";
export type { Merchants, Organizations, Providers } from "./resources/organizations.ts";
export type { Refunds } from "./resources/refunds.ts";
export type { TransactionQuery, Transactions } from "./resources/transactions.ts";
export type { DeliveryLogQuery, DeliveryLogs, Webhooks } from "./resources/webhooks.ts";
export type { CardChargeRequest, MtnChargeRequest, WaveChargeRequest } from "./schemas/charge.ts";
export type { CheckoutSessionRequest } from "./schemas/checkout-session.ts";
export type { CustomerQuery, CustomerRequest, CustomerUpdate } from "./schemas/customer.ts";
export type { InstantSettlementRequest, PaymentRequestRequest, PayoutRequest } from "./schemas/money-movement.ts";
export type { RefundQuery, RefundRequest } from "./schemas/refund.ts";
export type { WebhookEndpointRequest, WebhookEndpointUpdate } from "./schemas/webhook-endpoint.ts";
export type { ServiceClient, ServiceClientOptions } from "./service-client.ts";
export { CLIENT_CODES, isServiceError, SERVICE_CODES, ServiceError, type ServiceErrorCode } from "./service-error.ts";
export { createTraceHooks, type SpanLike, type TracerLike } from "./trace-hooks.ts";
export { createNodeTransport } from "./transport/node-transport.ts";
export type { Transport, TransportAnswer, TransportRequest } from "./transport/transport.ts";
