import type { ErrorDetails } from "./error-response.ts";
import type { NetworkProblem } from "./network-problem.ts";

/** Codes that the service answers; the service's API, "Errors". */
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

/** Codes of our own, for what happened on the way or before it. */
export const CLIENT_CODES = [
  /** No answer came: name, connection, TLS or a reset. */
  "connection_failed",
  /** The call and its tries took longer than `deadlineMs`; a write may have been taken. */
  "deadline_exceeded",
  /** The caller's signal ended the call; a write may have been taken. */
  "aborted",
  /** The body ended before it was whole. */
  "response_truncated",
  /** The body is larger than the client reads. */
  "response_too_large",
  /** The answer is not the API's: not JSON, or a redirect. */
  "response_unreadable",
  /** The answer is JSON without what the call is for, for example a session without its URL. */
  "response_unusable",
  /** Plain HTTP to a host that is not this machine. */
  "insecure_url",
  "url_invalid",
  "key_invalid",
  /** The call was refused before it was sent: a bad id, key, header or option. */
  "request_invalid",
] as const;

export type ServiceErrorCode = (typeof SERVICE_CODES)[number] | (typeof CLIENT_CODES)[number];

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
 * The one error of this package. Compare `code`, never `instanceof`: an ESM and a CommonJS copy of the class can meet.
 * Holds no key, secret, card number, e-mail address or phone number.
 */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** HTTP status of the answer, when there was one. */
  readonly status: number | undefined;
  /** The same call, a write under the same Idempotency-Key, may succeed later. */
  readonly retryable: boolean;
  /** What the service's support asks for. */
  readonly requestId: string | null;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  readonly details: ErrorDetails | undefined;
  /** Why a request for a Member Account was refused: branch on it, not on `code` or `status`. */
  readonly networkProblem: NetworkProblem | undefined;
  /**
   * The service may have carried out this write, whatever `code` and `status` say of its last try: at least one try was
   * sent and got no readable answer, or the answer was a success without what the call is for. Settle it by reading, never
   * by sending it again with another key. False for every read, and when all tries were refused or never sent.
   */
  readonly mayHaveLanded: boolean;

  constructor(code: ServiceErrorCode, message: string, facts: ServiceErrorFields = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = facts.status;
    this.retryable = RETRYABLE.has(code);
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs;
    this.details = facts.details;
    this.networkProblem = facts.networkProblem;
    this.mayHaveLanded = facts.mayHaveLanded ?? false;
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, status, retryable, requestId, retryAfterMs, details } = this;
    const { networkProblem, mayHaveLanded } = this;
    return { name, code, message, status, retryable, requestId, retryAfterMs, details, networkProblem, mayHaveLanded };
  }
}

/** A copy of the error in which some facts, or the message, are replaced. */
export function copyServiceError(
  error: ServiceError,
  changed: ServiceErrorFields & { readonly message?: string },
): ServiceError {
  const { status, requestId, retryAfterMs, details, networkProblem, mayHaveLanded, cause } = error;
  const facts = { status, requestId, retryAfterMs, details, networkProblem, mayHaveLanded, cause, ...changed };
  return new ServiceError(error.code, changed.message ?? error.message, facts);
}

/** Works for every copy of the class, unlike `instanceof`. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && thrown.name === "ServiceError" && "retryable" in thrown;
}
