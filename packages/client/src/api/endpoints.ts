/** One operation of the service's API. */
export type Endpoint = {
  /** The method of the client: resource and verb. */
  readonly clientMethod: `${string}.${string}`;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base URL, with `{name}` for path parameters. */
  readonly path: `/${string}`;
  /** The HTTP status of a successful response. */
  readonly successStatus: 200 | 201 | 204;
  /** `one`: an object. `array`: a bare array. `list`: the envelope with a cursor (API.md#lists). */
  readonly response: "one" | "array" | "list" | "none";
  /** `none`: the service ignores an Idempotency-Key here, so the client never repeats such a write. */
  readonly idempotency: "required" | "optional" | "none";
  /** Any one of these capabilities allows the call with a `Service-Account` header; null: the service rejects the header. */
  readonly capabilities: readonly Capability[] | null;
  /** The rate limit that the call counts towards (API.md#rate-limits). */
  readonly rateLimit: "write" | "default";
  /** Whether the client prefixes the path with `/v1`. The service accepts every path with and without the prefix. */
  readonly versioned: boolean;
  /** Whether the service's published API description contains the operation. */
  readonly isDocumented: boolean;
  /** Whether `X-Scenario-Key` chooses the outcome in the test environment (API.md#charges). */
  readonly acceptsScenarioKey?: true;
};

/** What a Member Account can permit an Operator to do (API.md#network). */
export type Capability =
  | "payment.create"
  | "transaction.read_own"
  | "transaction.read"
  | "customer.read"
  | "customer.write"
  | "refund.create";

const PAYMENT_CREATE = ["payment.create"] as const;
const REFUND_CREATE = ["refund.create"] as const;
const TRANSACTION_READ = ["transaction.read_own", "transaction.read"] as const;
const CUSTOMER_READ = ["customer.read"] as const;
const CUSTOMER_WRITE = ["customer.write"] as const;

/**
 * The service's API as plain data: one row per operation, keyed by operation ID. The client's methods, the sandbox's routes,
 * the OpenAPI document and the contract tests derive from it.
 */
// biome-ignore format: keep the columns aligned
export const endpoints = {
  CheckoutSessionsController_create:     { clientMethod: "checkoutSessions.create", method: "POST",   path: "/checkout-sessions",                         successStatus: 201, response: "one",   idempotency: "optional", capabilities: PAYMENT_CREATE,   rateLimit: "write",   versioned: true,  isDocumented: true  },
  CheckoutSessionsController_findOne:    { clientMethod: "checkoutSessions.read",   method: "GET",    path: "/checkout-sessions/{id}",                    successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: true,  isDocumented: true  },

  ChargesController_card:                { clientMethod: "charges.card",            method: "POST",   path: "/charge/card",                               successStatus: 201, response: "one",   idempotency: "required", capabilities: PAYMENT_CREATE,   rateLimit: "write",   versioned: false, isDocumented: true  },
  ChargesController_wave:                { clientMethod: "charges.wave",            method: "POST",   path: "/charge/wave",                               successStatus: 201, response: "one",   idempotency: "required", capabilities: PAYMENT_CREATE,   rateLimit: "write",   versioned: false, isDocumented: true, acceptsScenarioKey: true },
  ChargesController_mtn:                 { clientMethod: "charges.mtn",             method: "POST",   path: "/charge/mtn",                                successStatus: 201, response: "one",   idempotency: "required", capabilities: PAYMENT_CREATE,   rateLimit: "write",   versioned: false, isDocumented: true, acceptsScenarioKey: true },
  // Always 503 (API.md#charges): the client requires no Idempotency-Key and never repeats the call.
  ChargesController_switch:              { clientMethod: "charges.switch",          method: "POST",   path: "/charge/switch",                             successStatus: 201, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "write",   versioned: false, isDocumented: true  },
  ChargesController_findCard:            { clientMethod: "charges.readCard",        method: "GET",    path: "/charge/card/{id}",                          successStatus: 200, response: "one",   idempotency: "none",     capabilities: TRANSACTION_READ, rateLimit: "default", versioned: false, isDocumented: true  },

  PaymentRequestsController_create:      { clientMethod: "paymentRequests.create",  method: "POST",   path: "/payment-requests",                          successStatus: 201, response: "one",   idempotency: "required", capabilities: null,             rateLimit: "write",   versioned: false, isDocumented: true  },
  RefundsController_create:              { clientMethod: "refunds.create",          method: "POST",   path: "/refunds",                                   successStatus: 201, response: "one",   idempotency: "required", capabilities: REFUND_CREATE,    rateLimit: "write",   versioned: false, isDocumented: true  },
  RefundsController_findAll:             { clientMethod: "refunds.list",            method: "GET",    path: "/refunds",                                   successStatus: 200, response: "list",  idempotency: "none",     capabilities: TRANSACTION_READ, rateLimit: "default", versioned: false, isDocumented: true  },
  RefundsController_findOne:             { clientMethod: "refunds.read",            method: "GET",    path: "/refunds/{id}",                              successStatus: 200, response: "one",   idempotency: "none",     capabilities: TRANSACTION_READ, rateLimit: "default", versioned: false, isDocumented: true  },
  PayoutsController_create:              { clientMethod: "payouts.create",          method: "POST",   path: "/payouts",                                   successStatus: 201, response: "one",   idempotency: "required", capabilities: null,             rateLimit: "write",   versioned: false, isDocumented: true  },
  SettlementsController_instant:         { clientMethod: "settlements.instant",     method: "POST",   path: "/settlements/instant",                       successStatus: 201, response: "one",   idempotency: "required", capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },

  TransactionsController_findAll:        { clientMethod: "transactions.list",       method: "GET",    path: "/transactions",                              successStatus: 200, response: "list",  idempotency: "none",     capabilities: TRANSACTION_READ, rateLimit: "default", versioned: false, isDocumented: true  },
  TransactionsController_findOne:        { clientMethod: "transactions.read",       method: "GET",    path: "/transactions/{id}",                         successStatus: 200, response: "one",   idempotency: "none",     capabilities: TRANSACTION_READ, rateLimit: "default", versioned: false, isDocumented: true  },

  CustomersController_create:            { clientMethod: "customers.create",        method: "POST",   path: "/customers",                                 successStatus: 201, response: "one",   idempotency: "none",     capabilities: CUSTOMER_WRITE,   rateLimit: "default", versioned: false, isDocumented: true  },
  CustomersController_findAll:           { clientMethod: "customers.list",          method: "GET",    path: "/customers",                                 successStatus: 200, response: "list",  idempotency: "none",     capabilities: CUSTOMER_READ,    rateLimit: "default", versioned: false, isDocumented: true  },
  CustomersController_findOne:           { clientMethod: "customers.read",          method: "GET",    path: "/customers/{id}",                            successStatus: 200, response: "one",   idempotency: "none",     capabilities: CUSTOMER_READ,    rateLimit: "default", versioned: false, isDocumented: true  },
  CustomersController_update:            { clientMethod: "customers.update",        method: "PATCH",  path: "/customers/{id}",                            successStatus: 200, response: "one",   idempotency: "none",     capabilities: CUSTOMER_WRITE,   rateLimit: "default", versioned: false, isDocumented: true  },
  CustomersController_findTransactions:  { clientMethod: "customers.transactions",  method: "GET",    path: "/customers/{id}/transactions",               successStatus: 200, response: "array", idempotency: "none",     capabilities: CUSTOMER_READ,    rateLimit: "default", versioned: false, isDocumented: true  },

  AccountsController_findBalance:        { clientMethod: "accounts.balance",        method: "GET",    path: "/accounts/balance",                          successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  AccountsController_findAll:            { clientMethod: "accounts.list",           method: "GET",    path: "/accounts",                                  successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: false },
  AccountsController_findOne:            { clientMethod: "accounts.read",           method: "GET",    path: "/accounts/{id}",                             successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: false },
  OrganizationsController_findAll:       { clientMethod: "organizations.list",      method: "GET",    path: "/organizations",                             successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  OrganizationsController_findOne:       { clientMethod: "organizations.read",      method: "GET",    path: "/organizations/{id}",                        successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  MerchantsController_findOne:           { clientMethod: "merchants.read",          method: "GET",    path: "/merchants/{id}",                            successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  ProvidersController_findAll:           { clientMethod: "providers.list",          method: "GET",    path: "/providers",                                 successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },

  WebhooksController_create:             { clientMethod: "webhooks.create",         method: "POST",   path: "/webhooks",                                  successStatus: 201, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_findAll:            { clientMethod: "webhooks.list",           method: "GET",    path: "/webhooks",                                  successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_findOne:            { clientMethod: "webhooks.read",           method: "GET",    path: "/webhooks/{id}",                             successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_update:             { clientMethod: "webhooks.update",         method: "PATCH",  path: "/webhooks/{id}",                             successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_remove:             { clientMethod: "webhooks.delete",         method: "DELETE", path: "/webhooks/{id}",                             successStatus: 204, response: "none",  idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_test:               { clientMethod: "webhooks.test",           method: "POST",   path: "/webhooks/{id}/test",                        successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_findLogs:           { clientMethod: "webhooks.logs",           method: "GET",    path: "/webhooks/{id}/logs",                        successStatus: 200, response: "array", idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhooksController_retryLog:           { clientMethod: "webhooks.retryLog",       method: "POST",   path: "/webhooks/{webhook_id}/logs/{log_id}/retry", successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
  WebhookDeliveryLogsController_findOne: { clientMethod: "deliveryLogs.read",       method: "GET",    path: "/webhook-delivery-logs/{id}",                successStatus: 200, response: "one",   idempotency: "none",     capabilities: null,             rateLimit: "default", versioned: false, isDocumented: true  },
} as const satisfies Record<string, Endpoint>;

/** Operation IDs, named as in the published API description, for example `WebhooksController_update`. */
export type OperationId = keyof typeof endpoints;
