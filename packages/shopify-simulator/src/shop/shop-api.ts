import type { Clock } from "@tillkit/core";
import { adminResolvers } from "../admin/admin-api.ts";
import type { AdminContext } from "../admin/admin-context.ts";
import { versionFor } from "../graphql/api-versions.ts";
import {
  errorResponse,
  executeOperation,
  type Operation,
  type RootResolvers,
  readGraphqlRequest,
  readOperation,
  throttledResponse,
} from "../graphql/graphql-operation.ts";
import { createIdempotencyKeys } from "../graphql/idempotency-keys.ts";
import { createThrottle, type Throttle } from "../graphql/query-cost.ts";
import { readShopifySchema, type ShopifyApi } from "../graphql/schemas.ts";
import type { NoResponse, SimulatorRequest, SimulatorResponse } from "../http-server.ts";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import { type PaymentsContext, paymentsResolvers } from "../payments/payments-api.ts";
import type { ShopifyFault, ShopifyFaults } from "./shopify-faults.ts";

/** The rate limits of the two APIs in points, from Shopify's responses. A payments app practically never reaches its limit. */
const RATE_LIMITS: Readonly<Record<ShopifyApi, { readonly maximum: number; readonly restoreRate: number }>> = {
  admin: { maximum: 2_000, restoreRate: 100 },
  "payments-apps": { maximum: 1_092_000, restoreRate: 54_600 },
};

export type ShopApiOptions = {
  readonly domain: string;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  readonly faults: ShopifyFaults;
  readonly payments: PaymentsContext;
  readonly admin: AdminContext;
  readonly schemaFolder?: string | undefined;
  readonly limits?: Partial<typeof RATE_LIMITS> | undefined;
};

/** The GraphQL APIs of one shop, with their access checks, schemas, costs and faults. The shop's record gets an entry for each call. */
export type ShopApi = {
  respond(request: SimulatorRequest, api: ShopifyApi, version: string): Promise<SimulatorResponse | NoResponse>;
};

export function createShopApi(options: ShopApiOptions): ShopApi {
  const { domain, clock, tokens, faults, schemaFolder } = options;
  const { record } = options.payments;
  const resolvers = { admin: adminResolvers(options.admin), "payments-apps": paymentsResolvers(options.payments) };
  const limits = { ...RATE_LIMITS, ...options.limits };
  const throttles = {
    admin: createThrottle(clock, limits.admin),
    "payments-apps": createThrottle(clock, limits["payments-apps"]),
  };
  const idempotencyKeys = createIdempotencyKeys();

  async function respond(
    request: SimulatorRequest,
    api: ShopifyApi,
    requestedVersion: string,
  ): Promise<SimulatorResponse | NoResponse> {
    const version = versionFor(requestedVersion, clock.now());
    const graphqlRequest = readGraphqlRequest(request.bytes);
    if (!version) return NOT_FOUND;
    if (!graphqlRequest) return BAD_REQUEST;
    const schema = await readShopifySchema(api, version, schemaFolder);
    const parsed = readOperation(schema, graphqlRequest);
    const result = await withFaults(parsed, api, () =>
      withAccess(request, fieldsOf(parsed), () => execute(parsed, api, version, schema)),
    );
    return typeof result === "string"
      ? result
      : { ...result, headers: { ...result.headers, "X-Shopify-API-Version": version } };
  }

  async function withFaults(
    parsed: ParsedRequest,
    api: ShopifyApi,
    respondWithoutFault: () => Promise<SimulatorResponse>,
  ): Promise<SimulatorResponse | NoResponse> {
    const fault = faults.take({ shop: domain, names: [...fieldsOf(parsed), api] });
    if (fault && "delayMs" in fault) await clock.sleep(fault.delayMs);
    const failure = fault && faultResponseTo(fault, parsed, throttles[api]);
    if (failure && fault.when !== "after") {
      recordCalls(parsed, outcomeOf(failure));
      return failure;
    }
    const result = await respondWithoutFault();
    recordCalls(parsed, failure ? `${outcomeOf(result)}, then ${outcomeOf(failure)}` : outcomeOf(result));
    return failure ?? result;
  }

  async function execute(
    parsed: ParsedRequest,
    api: ShopifyApi,
    version: NonNullable<ReturnType<typeof versionFor>>,
    schema: Awaited<ReturnType<typeof readShopifySchema>>,
  ): Promise<SimulatorResponse> {
    if ("status" in parsed) return parsed;
    const apiResolvers: RootResolvers = resolvers[api];
    return await idempotencyKeys.respond(parsed, version, () =>
      executeOperation(schema, parsed, apiResolvers, throttles[api]),
    );
  }

  async function withAccess(
    request: SimulatorRequest,
    fields: readonly string[],
    respondWithAccess: () => Promise<SimulatorResponse>,
  ): Promise<SimulatorResponse> {
    const scopes = tokens.scopesOf(String(request.headers["x-shopify-access-token"] ?? ""));
    if (!scopes) return UNAUTHORIZED;
    const deniedField = fields.find((field) => !hasScope(field, scopes));
    if (deniedField === undefined) return await respondWithAccess();
    return errorResponse(
      `Access denied for ${deniedField} field. Required access: \`${requiredScope(deniedField)}\` access scope.`,
      "ACCESS_DENIED",
    );
  }

  function recordCalls(parsed: ParsedRequest, outcome: string): void {
    if ("status" in parsed) return;
    const id = parsed.variables.id ?? (parsed.variables.input as { id?: unknown } | undefined)?.id;
    for (const field of parsed.fields) {
      record.addCall({ at: clock.now(), field, id: typeof id === "string" ? id : null, outcome });
    }
  }

  return { respond };
}

/** An operation, or the error response to a request that is no valid operation. */
type ParsedRequest = Operation | SimulatorResponse;

function fieldsOf(parsed: ParsedRequest): readonly string[] {
  return "status" in parsed ? [] : parsed.fields;
}

const NOT_FOUND: SimulatorResponse = { status: 404, body: { errors: "Not Found" } };
const BAD_REQUEST: SimulatorResponse = {
  status: 400,
  body: { errors: { query: "Required parameter missing or invalid" } },
};
const UNAUTHORIZED: SimulatorResponse = {
  status: 401,
  body: { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" },
};

const STATUS_TEXT: Readonly<Record<number, string>> = {
  401: "[API] Invalid API key or access token (unrecognized login or wrong password)",
  402: "Unavailable Shop",
  403: "Forbidden",
  404: "Not Found",
  423: "Locked",
  429: "Too Many Requests",
};

/** The response of a fault; null where the fault only delays the request. */
export function faultResponse(fault: ShopifyFault): SimulatorResponse | NoResponse | null {
  if ("reset" in fault) return "reset";
  if ("hang" in fault) return "hang";
  if ("html" in fault) return { status: 200, body: "<!doctype html><title>Shopify</title>" };
  if ("error" in fault)
    return errorResponse("Internal error. Looks like something went wrong on our end.", fault.error);
  if (!("status" in fault)) return null;
  const headers = fault.retryAfterSeconds === undefined ? {} : { "Retry-After": String(fault.retryAfterSeconds) };
  return { status: fault.status, body: { errors: STATUS_TEXT[fault.status] ?? "Internal Server Error" }, headers };
}

function faultResponseTo(
  fault: ShopifyFault,
  parsed: ParsedRequest,
  throttle: Throttle,
): SimulatorResponse | NoResponse | null {
  const isThrottle = "error" in fault && fault.error === "THROTTLED";
  return isThrottle && !("status" in parsed) ? throttledResponse(parsed, throttle) : faultResponse(fault);
}

function outcomeOf(result: SimulatorResponse | NoResponse): string {
  if (typeof result === "string") return result;
  if (result.status !== 200) return String(result.status);
  const { errors, data } = result.body as {
    errors?: readonly { extensions?: { code?: string } }[];
    data?: Readonly<Record<string, { userErrors?: readonly unknown[] } | null>> | null;
  };
  if (errors) return errors[0]?.extensions?.code ?? "errors";
  const hasUserErrors = Object.values(data ?? {}).some((payload) => (payload?.userErrors?.length ?? 0) > 0);
  return hasUserErrors ? "userErrors" : "done";
}

function hasScope(field: string, scopes: readonly string[]): boolean {
  const scope = requiredScope(field);
  if (scope === null || scopes.includes(scope)) return true;
  return scope === "read_orders" && scopes.includes("write_orders");
}

function requiredScope(field: string): string | null {
  if (field === "paymentsAppConfigure") return "write_payment_gateways";
  if (/^(payment|refund|capture|void)Session/.test(field)) return "write_payment_sessions";
  if (["order", "orders", "refund"].includes(field)) return "read_orders";
  return /^(order[A-Z]|refundCreate)/.test(field) ? "write_orders" : null;
}
