/** What a row of the table says about one operation of the service's API. */
export type Endpoint = {
  /** The method of our client: resource and verb. */
  readonly call: `${string}.${string}`;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to the base address, with `{name}` for path parameters. */
  readonly path: `/${string}`;
  /** Status of the answer that means success. */
  readonly success: 200 | 201 | 204;
  /** `one`: the bare object. `array`: a bare array. `list`: the envelope with cursor. */
  readonly answer: "one" | "array" | "list" | "none";
  /** `none`: the service ignores an Idempotency-Key here, so such a write is never repeated. */
  readonly idempotency: "required" | "optional" | "none";
  /** Capabilities of which one lets `Service-Account` through; null: the header is refused. */
  readonly capabilities: readonly Capability[] | null;
  readonly rate: "write" | "default";
  /** Whether the published contract holds the row. */
  readonly public: boolean;
  /** Called under `/v1` by default; every row answers with and without it. */
  readonly versioned: boolean;
};

/** What a Member Account may grant an Operator; the service's API, "Network concepts". */
export type Capability =
  | "payment.create"
  | "transaction.read_own"
  | "transaction.read"
  | "customer.read"
  | "customer.write"
  | "refund.create";

const pay = ["payment.create"] as const;
const read = ["transaction.read_own", "transaction.read"] as const;

/**
 * The service's API as plain data: one row an operation, by operation id. Client methods, sandbox routes, the OpenAPI
 * document and the contract tests derive from it.
 */
// biome-ignore format: a table is read by its columns
export const endpoints = {
  CheckoutSessionsController_create:  { call: "checkoutSessions.create", method: "POST",  path: "/checkout-sessions",      success: 201, answer: "one",   idempotency: "optional", capabilities: pay,  rate: "write",   public: true, versioned: true },
  CheckoutSessionsController_findOne: { call: "checkoutSessions.read",   method: "GET",   path: "/checkout-sessions/{id}", success: 200, answer: "one",   idempotency: "none",     capabilities: null, rate: "default", public: true, versioned: true },

  TransactionsController_findAll:     { call: "transactions.list",       method: "GET",   path: "/transactions",           success: 200, answer: "list",  idempotency: "none",     capabilities: read, rate: "default", public: true, versioned: false },
  TransactionsController_findOne:     { call: "transactions.read",       method: "GET",   path: "/transactions/{id}",      success: 200, answer: "one",   idempotency: "none",     capabilities: read, rate: "default", public: true, versioned: false },

  WebhooksController_create:          { call: "webhooks.create",         method: "POST",  path: "/webhooks",               success: 201, answer: "one",   idempotency: "none",     capabilities: null, rate: "default", public: true, versioned: false },
  WebhooksController_findAll:         { call: "webhooks.list",           method: "GET",   path: "/webhooks",               success: 200, answer: "array", idempotency: "none",     capabilities: null, rate: "default", public: true, versioned: false },
  WebhooksController_findOne:         { call: "webhooks.read",           method: "GET",   path: "/webhooks/{id}",          success: 200, answer: "one",   idempotency: "none",     capabilities: null, rate: "default", public: true, versioned: false },
  WebhooksController_update:          { call: "webhooks.update",         method: "PATCH", path: "/webhooks/{id}",          success: 200, answer: "one",   idempotency: "none",     capabilities: null, rate: "default", public: true, versioned: false },
} as const satisfies Record<string, Endpoint>;

/** As the published contract names operations, for example `WebhooksController_update`. */
export type OperationId = keyof typeof endpoints;
