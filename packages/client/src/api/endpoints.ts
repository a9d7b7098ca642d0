/** One operation of the service's API. */
export type Endpoint = {
  /** The client's method: resource and verb. */
  readonly call: `${string}.${string}`;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base URL, with `{name}` for path parameters. */
  readonly path: `/${string}`;
  /** Status of a successful response. */
  readonly success: 200 | 201 | 204;
  /** `one`: an object. `array`: a bare array. `list`: the envelope with a cursor (API.md#lists). */
  readonly response: "one" | "array" | "list" | "none";
  /** `none`: the service ignores an Idempotency-Key here, so the client never repeats such a write. */
  readonly idempotency: "required" | "optional" | "none";
  /** Each of these capabilities permits `Service-Account`; null: the service rejects the header. */
  readonly capabilities: readonly Capability[] | null;
  /** The rate limit that the call counts towards (API.md#rate-limits). */
  readonly rate: "write" | "default";
  /** The client sends the prefix `/v1`; the service accepts every path with and without it. */
  readonly versioned: boolean;
  /** The service's published API description contains the operation. */
  readonly public: boolean;
  /** `X-Scenario-Key` chooses the outcome in the test environment (API.md#charges). */
  readonly scenario?: true;
};

/** What a Member Account can permit an Operator to do (API.md#network). */
export type Capability =
  | "payment.create"
  | "transaction.read_own"
  | "transaction.read"
  | "customer.read"
  | "customer.write"
  | "refund.create";

const pay = ["payment.create"] as const;
const refund = ["refund.create"] as const;
const read = ["transaction.read_own", "transaction.read"] as const;
const readCustomers = ["customer.read"] as const;
const writeCustomers = ["customer.write"] as const;

/**
 * The service's API as plain data: one row per operation, by operation id. The client's methods, the sandbox's routes,
 * the OpenAPI document and the contract tests derive from it.
 */
// biome-ignore format: a table is read by its columns
export const endpoints = {
  CheckoutSessionsController_create:     { call: "checkoutSessions.create", method: "POST",   path: "/checkout-sessions",                         success: 201, response: "one",   idempotency: "optional", capabilities: pay,            rate: "write",   versioned: true,  public: true  },
  CheckoutSessionsController_findOne:    { call: "checkoutSessions.read",   method: "GET",    path: "/checkout-sessions/{id}",                    success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: true,  public: true  },

  ChargesController_card:                { call: "charges.card",            method: "POST",   path: "/charge/card",                               success: 201, response: "one",   idempotency: "required", capabilities: pay,            rate: "write",   versioned: false, public: true  },
  ChargesController_wave:                { call: "charges.wave",            method: "POST",   path: "/charge/wave",                               success: 201, response: "one",   idempotency: "required", capabilities: pay,            rate: "write",   versioned: false, public: true, scenario: true },
  ChargesController_mtn:                 { call: "charges.mtn",             method: "POST",   path: "/charge/mtn",                                success: 201, response: "one",   idempotency: "required", capabilities: pay,            rate: "write",   versioned: false, public: true, scenario: true },
  // Always 503 (API.md#charges): the client requires no Idempotency-Key and never repeats the call.
  ChargesController_switch:              { call: "charges.switch",          method: "POST",   path: "/charge/switch",                             success: 201, response: "one",   idempotency: "none",     capabilities: null,           rate: "write",   versioned: false, public: true  },
  ChargesController_findCard:            { call: "charges.readCard",        method: "GET",    path: "/charge/card/{id}",                          success: 200, response: "one",   idempotency: "none",     capabilities: read,           rate: "default", versioned: false, public: true  },

  PaymentRequestsController_create:      { call: "paymentRequests.create",  method: "POST",   path: "/payment-requests",                          success: 201, response: "one",   idempotency: "required", capabilities: null,           rate: "write",   versioned: false, public: true  },
  RefundsController_create:              { call: "refunds.create",          method: "POST",   path: "/refunds",                                   success: 201, response: "one",   idempotency: "required", capabilities: refund,         rate: "write",   versioned: false, public: true  },
  RefundsController_findAll:             { call: "refunds.list",            method: "GET",    path: "/refunds",                                   success: 200, response: "list",  idempotency: "none",     capabilities: read,           rate: "default", versioned: false, public: true  },
  RefundsController_findOne:             { call: "refunds.read",            method: "GET",    path: "/refunds/{id}",                              success: 200, response: "one",   idempotency: "none",     capabilities: read,           rate: "default", versioned: false, public: true  },
  PayoutsController_create:              { call: "payouts.create",          method: "POST",   path: "/payouts",                                   success: 201, response: "one",   idempotency: "required", capabilities: null,           rate: "write",   versioned: false, public: true  },
  SettlementsController_instant:         { call: "settlements.instant",     method: "POST",   path: "/settlements/instant",                       success: 201, response: "one",   idempotency: "required", capabilities: null,           rate: "default", versioned: false, public: true  },

  TransactionsController_findAll:        { call: "transactions.list",       method: "GET",    path: "/transactions",                              success: 200, response: "list",  idempotency: "none",     capabilities: read,           rate: "default", versioned: false, public: true  },
  TransactionsController_findOne:        { call: "transactions.read",       method: "GET",    path: "/transactions/{id}",                         success: 200, response: "one",   idempotency: "none",     capabilities: read,           rate: "default", versioned: false, public: true  },

  CustomersController_create:            { call: "customers.create",        method: "POST",   path: "/customers",                                 success: 201, response: "one",   idempotency: "none",     capabilities: writeCustomers, rate: "default", versioned: false, public: true  },
  CustomersController_findAll:           { call: "customers.list",          method: "GET",    path: "/customers",                                 success: 200, response: "list",  idempotency: "none",     capabilities: readCustomers,  rate: "default", versioned: false, public: true  },
  CustomersController_findOne:           { call: "customers.read",          method: "GET",    path: "/customers/{id}",                            success: 200, response: "one",   idempotency: "none",     capabilities: readCustomers,  rate: "default", versioned: false, public: true  },
  CustomersController_update:            { call: "customers.update",        method: "PATCH",  path: "/customers/{id}",                            success: 200, response: "one",   idempotency: "none",     capabilities: writeCustomers, rate: "default", versioned: false, public: true  },
  CustomersController_findTransactions:  { call: "customers.transactions",  method: "GET",    path: "/customers/{id}/transactions",               success: 200, response: "array", idempotency: "none",     capabilities: readCustomers,  rate: "default", versioned: false, public: true  },

  AccountsController_findBalance:        { call: "accounts.balance",        method: "GET",    path: "/accounts/balance",                          success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  AccountsController_findAll:            { call: "accounts.list",           method: "GET",    path: "/accounts",                                  success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: false },
  AccountsController_findOne:            { call: "accounts.read",           method: "GET",    path: "/accounts/{id}",                             success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: false },
  OrganizationsController_findAll:       { call: "organizations.list",      method: "GET",    path: "/organizations",                             success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  OrganizationsController_findOne:       { call: "organizations.read",      method: "GET",    path: "/organizations/{id}",                        success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  MerchantsController_findOne:           { call: "merchants.read",          method: "GET",    path: "/merchants/{id}",                            success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  ProvidersController_findAll:           { call: "providers.list",          method: "GET",    path: "/providers",                                 success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },

  WebhooksController_create:             { call: "webhooks.create",         method: "POST",   path: "/webhooks",                                  success: 201, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_findAll:            { call: "webhooks.list",           method: "GET",    path: "/webhooks",                                  success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_findOne:            { call: "webhooks.read",           method: "GET",    path: "/webhooks/{id}",                             success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_update:             { call: "webhooks.update",         method: "PATCH",  path: "/webhooks/{id}",                             success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_remove:             { call: "webhooks.delete",         method: "DELETE", path: "/webhooks/{id}",                             success: 204, response: "none",  idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_test:               { call: "webhooks.test",           method: "POST",   path: "/webhooks/{id}/test",                        success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_findLogs:           { call: "webhooks.logs",           method: "GET",    path: "/webhooks/{id}/logs",                        success: 200, response: "array", idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhooksController_retryLog:           { call: "webhooks.retryLog",       method: "POST",   path: "/webhooks/{webhook_id}/logs/{log_id}/retry", success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
  WebhookDeliveryLogsController_findOne: { call: "deliveryLogs.read",       method: "GET",    path: "/webhook-delivery-logs/{id}",                success: 200, response: "one",   idempotency: "none",     capabilities: null,           rate: "default", versioned: false, public: true  },
} as const satisfies Record<string, Endpoint>;

/** Operation ids of the published API description, for example `WebhooksController_update`. */
export type OperationId = keyof typeof endpoints;
