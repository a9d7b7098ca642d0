import type { NetworkProblem } from "./network-problem.ts";

/** Error codes of the service (API.md#errors). */
export const SERVICE_CODES = [
  "bad_request",
  "validation_failed",
  "amount_invalid",
  "invalid_cursor",
  "idempotency_key_required",
  "unauthorized",
  "forbidden",
  "api_access_suspended",
  "not_found",
  "conflict",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "rate_limit_exceeded",
  "internal_error",
  "service_unavailable",
] as const;

/** Error codes of this client, for what fails before the service responds or in its response. */
export const CLIENT_CODES = [
  /** No response: name resolution, connection or TLS failed, or the connection was reset. */
  "connection_failed",
  /** The call with all its tries took longer than `deadlineMs`. A write may have landed. */
  "deadline_exceeded",
  /** The caller's signal ended the call. A write may have landed. */
  "aborted",
  /** The body of the response ended early. */
  "response_truncated",
  /** The body of the response is larger than the client reads. */
  "response_too_large",
  /** The response is not the API's: a redirect, or no JSON. */
  "response_unreadable",
  /** The response is JSON without the resource that was asked for, such as a session without its URL. */
  "response_unusable",
  /** Plain HTTP to another machine. */
  "insecure_url",
  "url_invalid",
  "key_invalid",
  /** The client rejected an id, key, header or option and sent nothing. */
  "request_invalid",
] as const;

export type ServiceErrorCode = (typeof SERVICE_CODES)[number] | (typeof CLIENT_CODES)[number];

/** `error.details` of the service, without personal data. */
export type ErrorDetails = {
  /** Messages of a validation error, by field path. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** Details that are a text instead of an object. */
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  readonly limit?: number;
};

export type ServiceErrorFields = {
  readonly status?: number | undefined;
  readonly requestId?: string | null | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly networkProblem?: NetworkProblem | undefined;
  /** Default false. */
  readonly mayHaveLanded?: boolean | undefined;
  readonly cause?: unknown;
};

const RETRYABLE: ReadonlySet<string> = new Set<ServiceErrorCode>([
  "connection_failed",
  "deadline_exceeded",
  "response_truncated",
  "idempotency_in_progress",
  "rate_limit_exceeded",
  "internal_error",
  "service_unavailable",
]);

/**
 * The only error that this package throws. Compare `code`, never `instanceof`: a program may load the class twice, as ESM
 * and as CommonJS. It holds no key, secret, card number, e-mail address or phone number.
 */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** HTTP status of the response, if there was one. */
  readonly status: number | undefined;
  /** The same call may succeed later; a write must keep its Idempotency-Key. */
  readonly retryable: boolean;
  /** The id that the service's support asks for. */
  readonly requestId: string | null;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly details: ErrorDetails | undefined;
  /** Why a request for a Member Account was refused. Branch on it, not on `code` or `status`. */
  readonly networkProblem: NetworkProblem | undefined;
  /**
   * The service may have carried out this write: at least one try was sent and got no readable response, or a success
   * lacked the resource. `code` and `status` describe the last try only. Settle the write by reading; another
   * Idempotency-Key could carry it out twice. False for every read, and when every try was refused or never sent.
   */
  readonly mayHaveLanded: boolean;

  constructor(code: ServiceErrorCode, message: string, fields: ServiceErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = fields.status;
    this.retryable = RETRYABLE.has(code);
    this.requestId = fields.requestId ?? null;
    this.retryAfterMs = fields.retryAfterMs;
    this.details = fields.details;
    this.networkProblem = fields.networkProblem;
    this.mayHaveLanded = fields.mayHaveLanded ?? false;
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, status, retryable, requestId, retryAfterMs, details } = this;
    const { networkProblem, mayHaveLanded } = this;
    return { name, code, message, status, retryable, requestId, retryAfterMs, details, networkProblem, mayHaveLanded };
  }
}

/** A copy of the error with some fields, or its message, replaced. */
export function copyServiceError(
  error: ServiceError,
  changed: ServiceErrorFields & { readonly message?: string },
): ServiceError {
  const { status, requestId, retryAfterMs, details, networkProblem, mayHaveLanded, cause } = error;
  const fields = { status, requestId, retryAfterMs, details, networkProblem, mayHaveLanded, cause, ...changed };
  return new ServiceError(error.code, changed.message ?? error.message, fields);
}

/** Recognizes every copy of the class, which `instanceof` does not. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && thrown.name === "ServiceError" && "retryable" in thrown;
}
