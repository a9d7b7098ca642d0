/** The error codes of the service's API with their HTTP statuses. */
export const statusByCode = {
  bad_request: 400,
  validation_failed: 400,
  amount_invalid: 400,
  invalid_cursor: 400,
  idempotency_key_required: 400,
  unauthorized: 401,
  forbidden: 403,
  api_access_suspended: 403,
  not_found: 404,
  conflict: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

export type ApiErrorCode = keyof typeof statusByCode;
export type ApiErrorDetails = Record<string, unknown>;

/** A rejected request. It becomes the error object of the API. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ApiErrorDetails | undefined;
  readonly status: number;

  /** `status`: the HTTP status, when it differs from the status of the code. */
  constructor(
    code: ApiErrorCode,
    message: string,
    more: { details?: ApiErrorDetails | undefined; status?: number } = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.details = more.details;
    this.status = more.status ?? statusByCode[code];
  }
}

export function notFound(resource: string): ApiError {
  return new ApiError("not_found", `${resource} not found`);
}

/** 409 `conflict`. `details` has the id of the conflicting resource and what conflicts, such as its status. */
export function conflict(message: string, details: ApiErrorDetails): ApiError {
  return new ApiError("conflict", message, { details });
}

export function validationFailed(details: Record<string, readonly string[]>): ApiError {
  return new ApiError("validation_failed", "Request validation failed", { details });
}
