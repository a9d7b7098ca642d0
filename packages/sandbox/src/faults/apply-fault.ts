import { ApiError, type ApiErrorCode, statusByCode } from "../domain/api-error.ts";
import { errorResponse, type HttpResponse, type ResponseToSend } from "../http/http-response.ts";
import type { Fault } from "./fault-request.ts";

/** The default error code of each status. 502 and 504 have no code of their own. */
const defaultCodes: Record<number, ApiErrorCode> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limit_exceeded",
  500: "internal_error",
};

const messages: Record<ApiErrorCode, string> = {
  bad_request: "Bad request",
  validation_failed: "Request validation failed",
  amount_invalid: "The amount is invalid",
  invalid_cursor: "Cursor is invalid",
  idempotency_key_required: "Idempotency-Key header is required",
  unauthorized: "Invalid API key",
  forbidden: "This API key cannot perform this action",
  api_access_suspended: "API access is suspended",
  not_found: "Resource not found",
  conflict: "Conflict",
  idempotency_key_reused: "Idempotency-Key was reused with a different request payload",
  idempotency_in_progress: "A request with this Idempotency-Key is already in progress",
  rate_limit_exceeded: "Too many requests",
  internal_error: "Internal server error",
  service_unavailable: "Service temporarily unavailable",
};

/** Applies a fault to a response. */
export function applyFault(fault: Fault, response: HttpResponse, requestId: string): ResponseToSend {
  if (fault.reset === true) return "reset";
  if (fault.status !== undefined) return { response: statusResponse(fault, response.headers, requestId), isCut: false };
  if (fault.empty !== undefined) {
    const body = fault.empty === "object" ? "{}" : "";
    return {
      response: { status: 200, headers: { ...response.headers, "X-Request-Id": requestId }, body },
      isCut: false,
    };
  }
  if (fault.patch !== undefined) return { response: patchResponse(response, fault.patch), isCut: false };
  return { response, isCut: fault.cutBody === true };
}

function statusResponse(fault: Fault, headers: HttpResponse["headers"], requestId: string): HttpResponse {
  const status = fault.status ?? 500;
  const code = fault.code ?? defaultCodes[status] ?? "service_unavailable";
  const seconds = fault.retryAfterSeconds ?? 1;
  // The limit of writes per minute of rate policy B.
  const details = status === 429 ? { retry_after_seconds: seconds, limit: 120 } : undefined;
  const hasRetryAfter = status === 429 || fault.retryAfterSeconds !== undefined;
  const response = errorResponse(new ApiError(code, messages[code], { details }), requestId, {
    ...headers,
    "X-Request-Id": requestId,
    ...(hasRetryAfter ? { "Retry-After": String(seconds) } : {}),
  });
  // 502 and 504 use the code of 503, so the status is set here.
  return { ...response, status: status === statusByCode[code] ? response.status : status };
}

/** Merges the patch into the JSON body at any depth, and into every item of an array. Null removes a field. */
function patchResponse(response: HttpResponse, patch: Record<string, unknown>): HttpResponse {
  if (response.body === null) return response;
  return { ...response, body: JSON.stringify(merge(JSON.parse(response.body), patch)) };
}

function merge(target: unknown, patch: Record<string, unknown>): unknown {
  if (Array.isArray(target)) return target.map((item) => merge(item, patch));
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = isObject(value) ? merge(result[name], value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
