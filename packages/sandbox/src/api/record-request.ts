import { isoTime } from "../domain/clock.ts";
import type { Fault } from "../faults/fault-request.ts";
import type { FaultedResponse } from "../http/http-response.ts";
import type { Service } from "../runtime/service.ts";
import type { ApiRequest, RequestProgress } from "./api-request.ts";

export function recordRequest(
  service: Service,
  request: ApiRequest,
  progress: RequestProgress,
  faulted: FaultedResponse,
  durationMs: number,
): void {
  const response = faulted === "reset" ? null : faulted.response;
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
  const received = request.body === "too-large" ? null : Buffer.from(request.body).toString("utf8");
  service.requestLog.add(record, { requestBody: received, responseBody: response?.body ?? null });
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
