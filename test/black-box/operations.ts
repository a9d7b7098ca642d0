export type Method = "GET" | "POST" | "PATCH" | "DELETE";
export type Operation = `${Method} /${string}`;

/** What the service's API says about one of its endpoints. */
export type EndpointRule = {
  readonly operation: Operation;
  readonly success: 200 | 201 | 204 | 503;
  /** Whether an Idempotency-Key is required. */
  readonly keyed: boolean;
  /** Whether rate policy B counts the endpoint as a write. */
  readonly write: boolean;
  /** Any one of these capabilities permits the header `Service-Account`. Null if the endpoint refuses the header. */
  readonly capabilities: readonly string[] | null;
  /** Whether the published OpenAPI document describes the endpoint. */
  readonly published: boolean;
};

const createPayments = ["payment.create"];
const readTransactions = ["transaction.read_own", "transaction.read"];
const readCustomers = ["customer.read"];
const writeCustomers = ["customer.write"];

/** The endpoints in the service's documentation, copied by hand, so that the client's own table is checked too. */
// biome-ignore format: a table is easier to read with aligned columns
export const endpoints: readonly EndpointRule[] = [
  { operation: "POST /webhooks",                                   success: 201, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /webhooks",                                    success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /webhooks/{id}",                               success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "PATCH /webhooks/{id}",                             success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "DELETE /webhooks/{id}",                            success: 204, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "POST /webhooks/{id}/test",                         success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /webhooks/{id}/logs",                          success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "POST /webhooks/{webhook_id}/logs/{log_id}/retry",  success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /webhook-delivery-logs/{id}",                  success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "POST /checkout-sessions",                          success: 201, keyed: false, write: true,  capabilities: createPayments,    published: true },
  { operation: "GET /checkout-sessions/{id}",                      success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "POST /charge/card",                                success: 201, keyed: true,  write: true,  capabilities: createPayments,    published: true },
  { operation: "POST /charge/wave",                                success: 201, keyed: true,  write: true,  capabilities: createPayments,    published: true },
  { operation: "POST /charge/mtn",                                 success: 201, keyed: true,  write: true,  capabilities: createPayments,    published: true },
  { operation: "GET /charge/card/{id}",                            success: 200, keyed: false, write: false, capabilities: readTransactions,  published: true },
  { operation: "POST /charge/switch",                              success: 503, keyed: false, write: true,  capabilities: null,              published: true },
  { operation: "POST /payment-requests",                           success: 201, keyed: true,  write: true,  capabilities: null,              published: true },
  { operation: "POST /refunds",                                    success: 201, keyed: true,  write: true,  capabilities: ["refund.create"], published: true },
  { operation: "GET /refunds",                                     success: 200, keyed: false, write: false, capabilities: readTransactions,  published: true },
  { operation: "GET /refunds/{id}",                                success: 200, keyed: false, write: false, capabilities: readTransactions,  published: true },
  { operation: "POST /payouts",                                    success: 201, keyed: true,  write: true,  capabilities: null,              published: true },
  { operation: "POST /settlements/instant",                        success: 201, keyed: true,  write: false, capabilities: null,              published: true },
  { operation: "GET /transactions",                                success: 200, keyed: false, write: false, capabilities: readTransactions,  published: true },
  { operation: "GET /transactions/{id}",                           success: 200, keyed: false, write: false, capabilities: readTransactions,  published: true },
  { operation: "GET /customers",                                   success: 200, keyed: false, write: false, capabilities: readCustomers,     published: true },
  { operation: "GET /customers/{id}",                              success: 200, keyed: false, write: false, capabilities: readCustomers,     published: true },
  { operation: "GET /customers/{id}/transactions",                 success: 200, keyed: false, write: false, capabilities: readCustomers,     published: true },
  { operation: "POST /customers",                                  success: 201, keyed: false, write: false, capabilities: writeCustomers,    published: true },
  { operation: "PATCH /customers/{id}",                            success: 200, keyed: false, write: false, capabilities: writeCustomers,    published: true },
  { operation: "GET /accounts/balance",                            success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /accounts",                                    success: 200, keyed: false, write: false, capabilities: null,              published: false },
  { operation: "GET /accounts/{id}",                               success: 200, keyed: false, write: false, capabilities: null,              published: false },
  { operation: "GET /organizations",                               success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /organizations/{id}",                          success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /merchants/{id}",                              success: 200, keyed: false, write: false, capabilities: null,              published: true },
  { operation: "GET /providers",                                   success: 200, keyed: false, write: false, capabilities: null,              published: true },
];

/** All endpoints but `POST /charge/switch`, which answers 503 after authentication and rate limit, whatever else is sent. */
export const answeringEndpoints = endpoints.filter((endpoint) => endpoint.success !== 503);

/** A valid UUID that no resource has. */
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** Path parameters in the format that the endpoint expects. No resource has these ids. */
export function unknownParams(operation: Operation): Record<string, string> {
  const webhook = "wh_22222222222222";
  if (operation.includes("/webhooks/")) return { id: webhook, webhook_id: webhook, log_id: unknownId };
  return { id: operation.includes("/charge/card/") ? "pi_22222222222222" : unknownId };
}
