import type { Clock } from "@tillkit/core";
import type { AccessTokens } from "./access-tokens.ts";
import { type AdminDesk, adminRootFields } from "./admin-api.ts";
import {
  errorAnswer,
  type Operation,
  type RootFields,
  readGraphqlRequest,
  readOperation,
  runOperation,
  throttled,
} from "./graphql-api.ts";
import type { Answer, Asked, NoAnswer } from "./http-door.ts";
import { createIdempotentAnswers } from "./idempotent.ts";
import { type PaymentsDesk, paymentsRootFields } from "./payments-api.ts";
import { createThrottle, type Throttle } from "./query-cost.ts";
import { readShopifySchema, type ShopifyApi } from "./schemas.ts";
import type { ShopifyFault, ShopifyFaults } from "./shopify-faults.ts";
import { versionFor } from "./versions.ts";

/** Points of the two APIs as Shopify's own answers show them: throttling is practically never a payments app's limit. */
const LIMITS: Readonly<Record<ShopifyApi, { readonly maximum: number; readonly restoreRate: number }>> = {
  admin: { maximum: 2_000, restoreRate: 100 },
  "payments-apps": { maximum: 1_092_000, restoreRate: 54_600 },
};

export type ShopApiOptions = {
  readonly domain: string;
  readonly clock: Clock;
  readonly tokens: AccessTokens;
  readonly faults: ShopifyFaults;
  readonly payments: PaymentsDesk;
  readonly admin: AdminDesk;
  readonly schemaFolder?: string | undefined;
  readonly limits?: Partial<typeof LIMITS> | undefined;
};

/** The GraphQL door of one shop: access, the real schema, cost, what goes wrong, and a line in the shop's record. */
export type ShopApi = { answer(asked: Asked, api: ShopifyApi, version: string): Promise<Answer | NoAnswer> };

export function createShopApi(options: ShopApiOptions): ShopApi {
  const { domain, clock, tokens, faults, schemaFolder } = options;
  const { book } = options.payments;
  const roots = { admin: adminRootFields(options.admin), "payments-apps": paymentsRootFields(options.payments) };
  const limits = { ...LIMITS, ...options.limits };
  const throttles = {
    admin: createThrottle(clock, limits.admin),
    "payments-apps": createThrottle(clock, limits["payments-apps"]),
  };
  const idempotent = createIdempotentAnswers();

  async function answer(asked: Asked, api: ShopifyApi, wantedVersion: string): Promise<Answer | NoAnswer> {
    const version = versionFor(wantedVersion, clock.now());
    const request = readGraphqlRequest(asked.bytes);
    if (!version || !request) return version ? BAD_REQUEST : NOT_FOUND;
    const schema = await readShopifySchema(api, version, schemaFolder);
    const read = readOperation(schema, request);
    const names = "status" in read ? [] : read.fields;
    const given = await throughFaults(read, api, () => withAccess(asked, names, () => run(read, api, version, schema)));
    return typeof given === "string"
      ? given
      : { ...given, headers: { ...given.headers, "X-Shopify-API-Version": version } };
  }

  async function throughFaults(
    read: Operation | Answer,
    api: ShopifyApi,
    run: () => Promise<Answer>,
  ): Promise<Answer | NoAnswer> {
    const names = "status" in read ? [] : read.fields;
    const fault = faults.take({ shop: domain, names: [...names, api] });
    if (fault && "delayMs" in fault) await clock.sleep(fault.delayMs);
    const broken = fault && spoil(fault, read, throttles[api]);
    if (broken && fault.when !== "after") {
      note(read, outcomeOf(broken));
      return broken;
    }
    const given = await run();
    note(read, broken ? `${outcomeOf(given)}, then ${outcomeOf(broken)}` : outcomeOf(given));
    return broken ?? given;
  }

  async function run(
    read: Operation | Answer,
    api: ShopifyApi,
    version: NonNullable<ReturnType<typeof versionFor>>,
    schema: Awaited<ReturnType<typeof readShopifySchema>>,
  ): Promise<Answer> {
    if ("status" in read) return read;
    const root: RootFields = roots[api];
    return await idempotent.answer(read, version, () => runOperation(schema, read, root, throttles[api]));
  }

  async function withAccess(asked: Asked, names: readonly string[], then: () => Promise<Answer>): Promise<Answer> {
    const scopes = tokens.scopesOf(String(asked.headers["x-shopify-access-token"] ?? ""));
    if (!scopes) return UNAUTHORIZED;
    const denied = names.find((name) => !mayUse(name, scopes));
    if (denied === undefined) return await then();
    return errorAnswer(
      `Access denied for ${denied} field. Required access: \`${scopeOf(denied)}\` access scope.`,
      "ACCESS_DENIED",
    );
  }

  function note(read: Operation | Answer, outcome: string): void {
    if ("status" in read) return;
    const id = read.variables.id ?? (read.variables.input as { id?: unknown } | undefined)?.id;
    for (const field of read.fields) {
      book.call({ at: clock.now(), field, id: typeof id === "string" ? id : null, outcome });
    }
  }

  return { answer };
}

const NOT_FOUND: Answer = { status: 404, body: { errors: "Not Found" } };
const BAD_REQUEST: Answer = { status: 400, body: { errors: { query: "Required parameter missing or invalid" } } };
const UNAUTHORIZED: Answer = {
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

/** How a request ends because of a fault, null where the fault only delays it. */
export function spoilt(fault: ShopifyFault): Answer | NoAnswer | null {
  if ("reset" in fault) return "reset";
  if ("hang" in fault) return "hang";
  if ("html" in fault) return { status: 200, body: "<!doctype html><title>Shopify</title>" };
  if ("error" in fault) return errorAnswer("Internal error. Looks like something went wrong on our end.", fault.error);
  if (!("status" in fault)) return null;
  const headers = fault.retryAfterSeconds === undefined ? {} : { "Retry-After": String(fault.retryAfterSeconds) };
  return { status: fault.status, body: { errors: STATUS_TEXT[fault.status] ?? "Internal Server Error" }, headers };
}

function spoil(fault: ShopifyFault, read: Operation | Answer, throttle: Throttle): Answer | NoAnswer | null {
  const isThrottle = "error" in fault && fault.error === "THROTTLED";
  return isThrottle && !("status" in read) ? throttled(read, throttle) : spoilt(fault);
}

function outcomeOf(given: Answer | NoAnswer): string {
  if (typeof given === "string") return given;
  if (given.status !== 200) return String(given.status);
  const { errors, data } = given.body as {
    errors?: readonly { extensions?: { code?: string } }[];
    data?: Readonly<Record<string, { userErrors?: readonly unknown[] } | null>> | null;
  };
  if (errors) return errors[0]?.extensions?.code ?? "errors";
  const refused = Object.values(data ?? {}).some((each) => (each?.userErrors?.length ?? 0) > 0);
  return refused ? "userErrors" : "done";
}

function mayUse(field: string, scopes: readonly string[]): boolean {
  const scope = scopeOf(field);
  if (scope === null || scopes.includes(scope)) return true;
  return scope === "read_orders" && scopes.includes("write_orders");
}

function scopeOf(field: string): string | null {
  if (field === "paymentsAppConfigure") return "write_payment_gateways";
  if (/^(payment|refund|capture|void)Session/.test(field)) return "write_payment_sessions";
  if (["order", "orders", "refund"].includes(field)) return "read_orders";
  return /^(order[A-Z]|refundCreate)/.test(field) ? "write_orders" : null;
}
