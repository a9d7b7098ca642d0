import { ApiError, notFound } from "../domain/api-error.ts";
import { applyFault } from "../faults/apply-fault.ts";
import type { Fault } from "../faults/fault-request.ts";
import { apiVersion } from "../http/api-version.ts";
import { errorResponse, type HttpResponse, jsonTextResponse, type ResponseToSend } from "../http/http-response.ts";
import { allowHeader, optionsResponse } from "../http/methods.ts";
import { readJson } from "../http/read-json.ts";
import { rateLimitHeaders } from "../runtime/rate-limits.ts";
import type { Service } from "../runtime/service.ts";
import { actForMember } from "./act-for-member.ts";
import type { ApiRequest, RequestProgress } from "./api-request.ts";
import { authenticate } from "./authenticate.ts";
import { type InFlightKeys, readIdempotencyKey } from "./idempotency.ts";
import type { Caller } from "./operations/operation.ts";
import { performOnce } from "./perform-once.ts";
import { recordRequest } from "./record-request.ts";
import { findRoute, methodsOf, type Route } from "./routes.ts";

/** Handles a request to the service's API. Never throws: every error becomes the error object of the API. */
export async function handleApiRequest(
  service: Service,
  inFlightKeys: InFlightKeys,
  request: ApiRequest,
): Promise<ResponseToSend> {
  const startedAt = performance.now();
  const path = request.path.replace(/^\/v1(?=\/)/, "");
  const requestId = service.ids.uuid();
  // A HEAD request is handled as GET; Node leaves the body out of its response.
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = findRoute(method, path);
  const progress: RequestProgress = {
    requestId,
    path,
    route,
    caller: null,
    fault: null,
    idempotencyKey: null,
    replayed: false,
    responseHeaders: { "X-Request-Id": requestId, "Service-Version": apiVersion },
  };
  progress.fault = takeFault(service, progress);
  const toSend = await respond(service, inFlightKeys, request, progress);
  recordRequest(service, request, progress, toSend, performance.now() - startedAt);
  return toSend;
}

async function respond(
  service: Service,
  inFlightKeys: InFlightKeys,
  request: ApiRequest,
  progress: RequestProgress,
): Promise<ResponseToSend> {
  const { fault, requestId, responseHeaders } = progress;
  const isIntercepted = fault?.when === "before" && fault.delayMs === undefined;
  if (isIntercepted) {
    // The operation does not run: the fault sets the status and the body of an empty response.
    const empty: HttpResponse = { status: 200, headers: responseHeaders, body: null };
    return applyFault(fault, empty, requestId);
  }
  const response = await performRequest(service, inFlightKeys, request, progress).catch((error: unknown) => {
    if (!(error instanceof ApiError) && error instanceof Error) process.emitWarning(error);
    return errorResponse(error, requestId, responseHeaders);
  });
  if (fault === null && progress.replayed) progress.fault = takeFault(service, progress);
  return progress.fault === null ? { response, isCut: false } : applyFault(progress.fault, response, requestId);
}

/**
 * Takes the fault that hits this request from the queue. Called before the request is performed, and again after its response was
 * replayed: a fault with `repeat` hits only replayed responses, and `replayed` is false before.
 */
function takeFault({ faults }: Service, { route, path, replayed }: RequestProgress): Fault | null {
  if (route === null) return null;
  const { method, path: routePath } = route.endpoint;
  return faults.take({ method, route: routePath, path, isReplayed: replayed });
}

/**
 * Runs the checks in the order of the payment service: API key, suspension, rate limit, `Service-Version`, `Service-Account`,
 * `Idempotency-Key`, body, business rules.
 */
async function performRequest(
  service: Service,
  inFlightKeys: InFlightKeys,
  request: ApiRequest,
  progress: RequestProgress,
): Promise<HttpResponse> {
  const { route, responseHeaders } = progress;
  if (route === null) return answerUnknownRoute(request, progress);
  await service.paymentScheduler.runDue();
  const { endpoint, operation } = route;
  const account = firstHeader(request.headers["service-account"]);
  const caller = await authenticate(service.store.database, request.headers);
  progress.caller = caller;
  enforceRateLimit(service, caller, endpoint, responseHeaders);
  if ("unavailable" in operation) throw new ApiError("service_unavailable", operation.unavailable);
  assertKnownVersion(firstHeader(request.headers["service-version"]));
  const actingCaller = await actForMember(service.store.database, caller, account, endpoint);
  if (actingCaller.kind !== "secret") throw new ApiError("forbidden", "This API key cannot perform this action");
  const key =
    endpoint.idempotency === "none"
      ? null
      : readIdempotencyKey(request.headers["idempotency-key"], {
          isRequired: endpoint.idempotency === "required",
        });
  progress.idempotencyKey = key;

  const body = readJson(request.body, request.headers["content-type"]);
  const scenario = firstHeader(request.headers["x-scenario-key"]) ?? "";
  const call = { service, caller: actingCaller, params: route.params, query: request.query, body, scenario };
  const performed = await performOnce(inFlightKeys, operation, call, {
    key,
    requestId: progress.requestId,
    method: endpoint.method,
    path: progress.path,
    account: account ?? "",
    delayMs: progress.fault?.delayMs ?? 0,
  });
  progress.replayed = performed.replayed;
  if (performed.replayed) responseHeaders["Idempotency-Cache-Hit"] = "true";
  // The body of a replayed error contains the id of the first request, and the header equals it.
  if (performed.status >= 400) responseHeaders["X-Request-Id"] = performed.requestId;
  if (performed.status === 204) return { status: 204, headers: responseHeaders, body: null };
  return jsonTextResponse(performed.status, wrapBody(service, route, performed), responseHeaders);
}

/**
 * OPTIONS of a known path lists the methods of the path. Every other unknown route is a 404, also when only the method is
 * unknown, because the payment service has no 405. On a known path, the response lists the supported methods in `Allow`.
 * @throws ApiError `not_found`
 */
function answerUnknownRoute({ method }: ApiRequest, { path, responseHeaders }: RequestProgress): HttpResponse {
  const methods = methodsOf(path);
  if (methods.length > 0 && method === "OPTIONS") return optionsResponse(methods, responseHeaders);
  if (methods.length > 0) responseHeaders.Allow = allowHeader(methods);
  throw notFound("Route");
}

function enforceRateLimit(
  service: Service,
  caller: Caller,
  { rateLimit }: Route["endpoint"],
  responseHeaders: Record<string, string>,
): void {
  const status = service.rateLimits.count({
    key: caller.key,
    environment: caller.environment,
    policy: service.settings.ratePolicy,
    isWrite: rateLimit === "write",
    now: service.clock.now(),
  });
  if (status === null) return;
  Object.assign(responseHeaders, rateLimitHeaders(status));
  if (status.retryAfterSeconds === null) return;
  throw new ApiError("rate_limit_exceeded", "Too many requests", {
    details: { retry_after_seconds: status.retryAfterSeconds, limit: status.window.limit },
  });
}

function assertKnownVersion(version: string | undefined): void {
  if (version === undefined || version === apiVersion) return;
  throw new ApiError("bad_request", `The only Service-Version is ${apiVersion}`);
}

/** The setting `wrap`: some deployments put a single object under `data` or into an array. */
function wrapBody(
  { settings }: Service,
  { endpoint }: Route,
  { status, body }: { status: number; body: string },
): string {
  if (status >= 400 || endpoint.response !== "one" || settings.wrap === "none") return body;
  return settings.wrap === "data" ? `{"data":${body}}` : `[${body}]`;
}

function firstHeader(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
