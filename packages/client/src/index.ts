export {
  type AddressFault,
  type AddressUse,
  addressFault,
  isLoopbackUrl,
  isPageOf,
  normalBase,
} from "./addresses/address-fault.ts";
export { addressRule } from "./addresses/address-texts.ts";
export { parseUrl } from "./addresses/parse-url.ts";
export { BlockedAddressError, isPrivateAddress, isPrivateHost, publicLookup } from "./addresses/private-address.ts";
export type { EventName } from "./api/event-names.ts";
export type {
  CallOptions,
  PlainCallOptions,
  ScenarioCallOptions,
  ServiceResponse,
} from "./call/call-options.ts";
export type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./call/hooks.ts";
export type { ListCall } from "./call/operation.ts";
export { createTraceHooks, type SpanLike, type TracerLike } from "./call/trace-hooks.ts";
export { connectionFix, wasNeverSent } from "./errors/connection-fault.ts";
export { MEMBER_ACCOUNT_PROBLEMS, type MemberAccountProblem } from "./errors/member-account-problem.ts";
export { redact } from "./errors/redact.ts";
export {
  CLIENT_CODES,
  type ErrorDetails,
  isServiceError,
  SERVICE_CODES,
  ServiceError,
  type ServiceErrorCode,
} from "./errors/service-error.ts";
export type { Account, Balance } from "./models/account.ts";
export type { CardCharge, MobileMoneyCharge } from "./models/charge.ts";
export type { CheckoutSession, OpenedCheckoutSession } from "./models/checkout-session.ts";
export type { Customer } from "./models/customer.ts";
export type { DeliveryLog, DeliveryResult } from "./models/delivery-log.ts";
export type { ServiceDispute } from "./models/dispute.ts";
export type { JsonObject, ListPage, OpenEnum, UnknownValue } from "./models/json-fields.ts";
export type { InstantSettlement, PaymentRequest, Payout } from "./models/money-movement.ts";
export type { Merchant, Organization, Provider, ProviderCode } from "./models/organization.ts";
export type { RefundRow, ServiceRefund } from "./models/refund.ts";
export type { Subscription, SubscriptionStatus } from "./models/subscription.ts";
export type { FailureCode, Transaction, TransactionStatus } from "./models/transaction.ts";
export type { ServiceWebhookEndpoint } from "./models/webhook-endpoint.ts";
export { createServiceClient } from "./node-client.ts";
export { type Budget, type BudgetRequest, createBudget } from "./rate-limits/budget.ts";
export type { RateLimit } from "./rate-limits/rate-limit.ts";
export type { CardChargeRequest, MobileMoneyCustomer, MtnChargeRequest, WaveChargeRequest } from "./requests/charge.ts";
export type {
  CheckoutField,
  CheckoutLineItem,
  CheckoutSessionRequest,
  IntegrationSource,
} from "./requests/checkout-session.ts";
export type { Amount, AnyOf, CurrencyCode, Metadata, PageQuery } from "./requests/common.ts";
export type { CustomerQuery, CustomerRequest, CustomerUpdate } from "./requests/customer.ts";
export type { InstantSettlementRequest, PaymentRequestRequest, PayoutRequest } from "./requests/money-movement.ts";
export type { RefundQuery, ServiceRefundRequest } from "./requests/refund.ts";
export type { TransactionQuery } from "./requests/transaction.ts";
export type { DeliveryLogQuery, WebhookEndpointRequest, WebhookEndpointUpdate } from "./requests/webhook-endpoint.ts";
export type { Accounts } from "./resources/accounts.ts";
export type { Charges } from "./resources/charges.ts";
export type { CheckoutSessions } from "./resources/checkout-sessions.ts";
export type { Customers } from "./resources/customers.ts";
export type { PaymentRequests, Payouts, Settlements } from "./resources/money-movements.ts";
export type { Merchants, Organizations, Providers } from "./resources/organizations.ts";
export type { Refunds } from "./resources/refunds.ts";
export type { Transactions } from "./resources/transactions.ts";
export type { DeliveryLogs, Webhooks } from "./resources/webhooks.ts";
export type { ServiceClient, ServiceClientOptions } from "./service-client.ts";
export type { Clock, Random } from "./system/clock.ts";
export { CHECKOUT_RESERVE, DEFAULT_RATE_LIMITS } from "./system/limits.ts";
export type { FetchLike } from "./transport/fetch-transport.ts";
export { createNodeFetch } from "./transport/node-fetch.ts";
export { createNodeTransport, type NodeTransportOptions } from "./transport/node-transport.ts";
export { createSendBy, type SendBy, type SendByClock } from "./transport/send-by.ts";
export type { Transport, TransportRequest, TransportResponse } from "./transport/transport.ts";
export type {
  DisputeEvent,
  EventFields,
  PaymentEvent,
  RefundEvent,
  ServiceEvent,
  SubscriptionEvent,
  SubscriptionSource,
  SubscriptionUpdatedEvent,
  TestEvent,
  UnknownEvent,
} from "./webhooks/event.ts";
