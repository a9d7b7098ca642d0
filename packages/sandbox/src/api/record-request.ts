import { isoTime } from "../domain/clock.ts";
import type { Fault } from "../faults/fault-request.ts";
import type { ResponseToSend } from "../http/http-response.ts";
import type { Service } from "../runtime/service.ts";
import type { ApiRequest, RequestProgress } from "./api-request.ts";

export function recordRequest(
  service: Service,
  request: ApiRequest,
  progress: RequestProgress,
  toSend: ResponseToSend,
  durationMs: number,
): void {
  const response = toSend === "reset" ? null : toSend.response;
  const failed = response !== null && response.status >= 400;
  const record = {
    request_id: response?.headers["X-Request-Id"] ?? progress.requestId,
    method: request.method,
    path: request.path,
    status: response?.status ?? null,
    error_code: failed ? errorCodeIn(response.body) : null,
    idempotency_key: progress.idempotencyKey,
    replayed: progress.replayed,
    fault: progress.fault === null ? null : describeFault(progress.fault),
    environment: progress.caller?.environment ?? null,
    received_at: isoTime(service.clock.now()),
    duration_ms: Math.round(durationMs),
  };
  const { method, path, status, error_code: errorCode, duration_ms: duration, replayed, fault } = record;
  service.onActivity({ kind: "request", method, path, status, durationMs: duration, errorCode, replayed, fault });
  service.requestLog.add(record, {
    query: request.query.toString(),
    headers: meaningfulHeaders(request.headers),
    requestBody: request.body === "too-large" ? null : Buffer.from(request.body).toString("utf8"),
    responseBody: response?.body ?? null,
  });
}

/** The headers that change what a request does. The page of a request shows them in its curl command. */
const meaningfulNames = ["content-type", "service-account", "service-version", "x-scenario-key"];

function meaningfulHeaders(headers: ApiRequest["headers"]): Record<string, string> {
  const present = meaningfulNames.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(present.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function errorCodeIn(body: string | null): string | null {
  const { error } = JSON.parse(body ?? "{}") as { error?: { code?: string } };
  return error?.code ?? null;
}

function describeFault({ when, status, reset, delayMs, cutBody, empty }: Fault): string {
  if (status !== undefined) return `${when} status ${status}`;
  if (empty !== undefined) return `${when} empty ${empty}`;
  if (reset) return `${when} reset`;
  if (delayMs !== undefined) return `delayMs ${delayMs}`;
  return cutBody ? "cutBody" : "patch";
}
