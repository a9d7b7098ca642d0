import type { IncomingHttpHeaders } from "node:http";
import { actingFor } from "../network/acting-for.ts";
import { iso } from "../service/clock.ts";
import type { Fault } from "../service/fault-request.ts";
import { notFound, Refusal } from "../service/refusal.ts";
import type { Service } from "../service/service.ts";
import { type Answer, errorAnswer, jsonAnswer } from "./answer.ts";
import { authenticate, type Caller } from "./authenticate.ts";
import { type SpoiledAnswer, spoil } from "./fault-answer.ts";
import { type RunningKeys, readIdempotencyKey } from "./idempotency.ts";
import { performOnce } from "./perform-once.ts";
import { rateHeaders } from "./rate-limit.ts";
import { type BodyBytes, readJson } from "./read-json.ts";
import { findRoute, type Route } from "./routes.ts";

export const schemaVersion = "1.2.0";

export type ApiRequest = {
  method: string;
  /** As it was asked for, with or without `/v1`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: BodyBytes;
};

/** What is learned on the way and said afterwards, whether it ended well or not. */
type Progress = {
  requestId: string;
  /** Without `/v1`. */
  path: string;
  route: Route | null;
  caller: Caller | null;
  fault: Fault | null;
  idempotencyKey: string | null;
  replayed: boolean;
  headers: Record<string, string>;
};

/** Answers a request to the service's API. Never throws: what goes wrong becomes the error object. */
export async function answerRequest(
  service: Service,
  running: RunningKeys,
  request: ApiRequest,
): Promise<SpoiledAnswer> {
  const startedAt = performance.now();
  const path = request.path.replace(/^\/v1(?=\/)/, "");
  const requestId = service.ids.uuid();
  const route = findRoute(request.method, path);
  const progress: Progress = {
    requestId,
    path,
    route,
    caller: null,
    fault: null,
    idempotencyKey: null,
    replayed: false,
    headers: { "X-Request-Id": requestId, "Service-Version": schemaVersion },
  };
  progress.fault = faultFor(service, request.method, progress);
  const spoiled = await spoiledAnswer(service, running, request, progress);
  writeDown(service, request, progress, spoiled, performance.now() - startedAt);
  return spoiled;
}

async function spoiledAnswer(
  service: Service,
  running: RunningKeys,
  request: ApiRequest,
  progress: Progress,
): Promise<SpoiledAnswer> {
  const { fault, requestId } = progress;
  const notTaken = fault?.when === "before" && fault.delayMs === undefined;
  if (notTaken) return spoil(fault, { status: 200, headers: progress.headers, body: null }, requestId);
  const answer = await perform(service, running, request, progress).catch((error: unknown) => {
    if (!(error instanceof Refusal) && error instanceof Error) process.emitWarning(error);
    return errorAnswer(error, requestId, progress.headers);
  });
  progress.fault = fault ?? (progress.replayed ? faultFor(service, request.method, progress) : null);
  return progress.fault === null ? { answer, cut: false } : spoil(progress.fault, answer, requestId);
}

/** Whether it repeats an earlier request is known only after the request was performed: `progress.replayed`. */
function faultFor({ faults }: Service, method: string, { route, path, replayed }: Progress): Fault | null {
  return route === null ? null : faults.take({ method, route: route.endpoint.path, path, isRepeat: replayed });
}

/** The checks in the service's order: key, suspension, rate limit, version, Network, idempotency key, body, business rules. */
async function perform(
  service: Service,
  running: RunningKeys,
  request: ApiRequest,
  progress: Progress,
): Promise<Answer> {
  const { route, headers } = progress;
  if (route === null) throw notFound("Route");
  await service.timetable.catchUp();
  const { endpoint, operation } = route;
  const account = one(request.headers["service-account"]);
  const authenticated = await authenticate(service.store.rows, request.headers);
  progress.caller = authenticated;
  countRequest(service, authenticated, endpoint.rate === "write", headers);
  if ("closed" in operation) throw new Refusal("service_unavailable", operation.closed);
  refuseUnknownVersion(one(request.headers["service-version"]));
  const caller = await actingFor(service.store.rows, authenticated, account, endpoint);
  if (caller.kind !== "secret") throw new Refusal("forbidden", "This API key cannot perform this action");
  const key =
    endpoint.idempotency === "none"
      ? null
      : readIdempotencyKey(request.headers["idempotency-key"], endpoint.idempotency === "required");
  progress.idempotencyKey = key;

  const body = readJson(request.body, request.headers["content-type"]);
  const scenario = one(request.headers["x-scenario-key"]) ?? "";
  const call = { service, caller, params: route.params, query: request.query, body, scenario };
  const done = await performOnce(running, operation, call, {
    key,
    requestId: progress.requestId,
    method: endpoint.method,
    path: progress.path,
    account: account ?? "",
    holdMs: progress.fault?.delayMs ?? 0,
  });
  progress.replayed = done.replayed;
  if (done.replayed) headers["Idempotency-Cache-Hit"] = "true";
  if (done.status >= 400) headers["X-Request-Id"] = done.requestId;
  if (done.status === 204) return { status: 204, headers, body: null };
  return { ...jsonAnswer(done.status, null, headers), body: wrapped(service, route, done) };
}

function countRequest(service: Service, caller: Caller, write: boolean, headers: Record<string, string>): void {
  const standing = service.rates.count({
    key: caller.key,
    environment: caller.environment,
    policy: service.settings.ratePolicy,
    write,
    now: service.clock.now(),
  });
  if (standing === null) return;
  Object.assign(headers, rateHeaders(standing));
  if (standing.retryAfterSeconds === null) return;
  throw new Refusal("rate_limit_exceeded", "Too many requests", {
    retry_after_seconds: standing.retryAfterSeconds,
    limit: standing.window.limit,
  });
}

function refuseUnknownVersion(version: string | undefined): void {
  if (version === undefined || version === schemaVersion) return;
  throw new Refusal("bad_request", `Service-Version ${schemaVersion} is the only one that exists`);
}

/** The switch `wrap`: deployments that put one object under `data`, or into an array. */
function wrapped(
  { settings }: Service,
  { endpoint }: Route,
  { status, body }: { status: number; body: string },
): string {
  if (status >= 400 || endpoint.answer !== "one" || settings.wrap === "none") return body;
  return settings.wrap === "data" ? `{"data":${body}}` : `[${body}]`;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function writeDown(
  service: Service,
  request: ApiRequest,
  progress: Progress,
  spoiled: SpoiledAnswer,
  durationMs: number,
): void {
  const answer = spoiled === "reset" ? null : spoiled.answer;
  const failed = answer !== null && answer.status >= 400;
  const record = {
    request_id: answer?.headers["X-Request-Id"] ?? progress.requestId,
    method: request.method,
    path: request.path,
    status: answer?.status ?? null,
    error_code: failed ? codeIn(answer.body) : null,
    idempotency_key: progress.idempotencyKey,
    replayed: progress.replayed,
    fault: progress.fault === null ? null : nameOf(progress.fault),
    environment: progress.caller?.environment ?? null,
    received_at: iso(service.clock.now()),
    duration_ms: Math.round(durationMs),
  };
  const received = request.body === "too-large" ? null : Buffer.from(request.body).toString("utf8");
  service.requests.add(record, { received, answered: answer?.body ?? null });
}

function codeIn(body: string | null): string | null {
  const { error } = JSON.parse(body ?? "{}") as { error?: { code?: string } };
  return error?.code ?? null;
}

function nameOf({ when, status, reset, delayMs, cutBody, empty }: Fault): string {
  if (status !== undefined) return `${when} status ${status}`;
  if (empty !== undefined) return `${when} empty ${empty}`;
  if (reset) return `${when} reset`;
  if (delayMs !== undefined) return `delayMs ${delayMs}`;
  return cutBody ? "cutBody" : "patch";
}
