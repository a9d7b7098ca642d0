import { type Endpoint, endpoints, type OperationId } from "../api/endpoints.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { OperationOptions } from "./call-options.ts";

/** Query parameters; the items of a list are joined by commas. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type CallRequest = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** A string is sent unchanged. */
  readonly body?: object | string;
};

/** The part of a request that is the same for every attempt. */
export type PreparedRequest = {
  readonly operation: OperationId;
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly idempotencyKey: string | null;
  /** A read, or a write with an Idempotency-Key. */
  readonly repeatable: boolean;
};

export type RequestDefaults = {
  readonly baseUrl: string;
  readonly versionPrefix: string;
  readonly account: string | undefined;
  readonly version: string | undefined;
  /** Makes the key of a write that takes a key and has none; null: such a write is sent without a key. */
  readonly newIdempotencyKey: (() => string) | null;
};

/** @throws ServiceError `request_invalid`, `idempotency_key_required` */
export function prepareRequest(
  operation: OperationId,
  request: CallRequest,
  options: OperationOptions,
  defaults: RequestDefaults,
): PreparedRequest {
  const endpoint: Endpoint = endpoints[operation];
  assertCall(endpoint, request, options);
  const key = chooseIdempotencyKey(endpoint, options.idempotencyKey, defaults.newIdempotencyKey);
  const account = chooseServiceAccount(endpoint, options.serviceAccount, defaults.account);
  const version = options.version ?? defaults.version;
  const headers: Record<string, string> = { accept: "application/json" };
  if (request.body !== undefined) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  if (account !== undefined) headers["service-account"] = account;
  if (options.scenario !== undefined) headers["x-scenario-key"] = checkedScenario(endpoint, options.scenario);
  if (version !== undefined) headers["service-version"] = checkedHeader("version", version);
  const prefix = endpoint.versioned ? defaults.versionPrefix : "";
  return {
    operation,
    endpoint,
    url: defaults.baseUrl + prefix + fillPath(endpoint.path, request.params) + queryText(request.query),
    headers,
    body: encodeBody(request.body),
    idempotencyKey: key ?? null,
    repeatable: endpoint.method === "GET" || key !== undefined,
  };
}

/** A caller in plain JavaScript may pass another type, or nothing. */
function assertCall({ clientMethod, method, path }: Endpoint, request: CallRequest, options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw invalidCallError(
      `the last argument of ${clientMethod} must be an object of options, such as { deadlineMs: 5000 }`,
    );
  if (!("body" in request)) return;
  const { body } = request;
  if (typeof body === "string" || (typeof body === "object" && body !== null)) return;
  throw invalidCallError(`${clientMethod} needs the body of ${method} ${path} as an object`);
}

const utf8 = new TextEncoder();

function encodeBody(body: object | string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  return utf8.encode(typeof body === "string" ? body : JSON.stringify(body));
}

function chooseIdempotencyKey(
  { idempotency, path }: Endpoint,
  key: string | undefined,
  newKey: RequestDefaults["newIdempotencyKey"],
): string | undefined {
  if (key !== undefined) {
    if (idempotency === "none") throw invalidCallError(`${path} ignores an idempotencyKey: leave it out`);
    return checkedHeader("idempotencyKey", key);
  }
  if (idempotency === "none") return undefined;
  if (newKey === null && idempotency === "required")
    throw new ServiceError("idempotency_key_required", `POST ${path} needs an idempotencyKey.`);
  return newKey?.();
}

function chooseServiceAccount(
  { capabilities, path }: Endpoint,
  requested: string | null | undefined,
  byDefault: string | undefined,
): string | undefined {
  if (capabilities === null) {
    if (typeof requested === "string") throw invalidCallError(`${path} does not take a serviceAccount`);
    return undefined;
  }
  const account = requested === undefined ? byDefault : requested;
  return account === undefined || account === null ? undefined : checkedHeader("serviceAccount", account);
}

function checkedScenario({ acceptsScenarioKey, path }: Endpoint, name: string): string {
  if (!acceptsScenarioKey) throw invalidCallError(`${path} does not take a scenario`);
  return checkedHeader("scenario", name);
}

/** Printable ASCII without a space at either end, which HTTP would cut off. */
function checkedHeader(name: string, value: string): string {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(value))
    throw invalidCallError(`${name} must be 1 to 255 printable ASCII characters`);
  return value;
}

function fillPath(path: string, params: Readonly<Record<string, string>> | undefined): string {
  if (params === undefined && !path.includes("{")) return path;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params?.[name];
    if (typeof value !== "string" || !/^[\w-]{1,128}$/.test(value))
      throw invalidCallError(`${path} needs a well-formed ${name}`);
    return value;
  });
}

function queryText(query: Query | undefined): string {
  if (query === undefined) return "";
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}

function invalidCallError(reason: string): ServiceError {
  return new ServiceError("request_invalid", `The call was not sent: ${reason}.`);
}
