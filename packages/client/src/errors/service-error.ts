import type { MemberAccountProblem } from "./member-account-problem.ts";

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

/** Error codes of this client: the call failed before the service responded, or its response is not usable. */
export const CLIENT_CODES = [
  /** The service sent no response: name resolution, the connection or TLS failed, or the connection was reset. */
  "connection_failed",
  /** The call, including all retries, exceeded `deadlineMs`. The service may have processed a write. */
  "deadline_exceeded",
  /** The call's `sendBy` passed before its request could be sent, so this attempt sent nothing. */
  "not_sent",
  /** The caller aborted the call through its `AbortSignal`. The service may have processed a write. */
  "aborted",
  /** The response body ended before it was complete. */
  "response_truncated",
  /** The response body is larger than the client's size limit, 8 MiB. */
  "response_too_large",
  /** The response did not come from the API: it is a redirect, or its body is not JSON. */
  "response_unreadable",
  /** The response is valid JSON but lacks the requested resource, or a required field of it, such as a session's URL. */
  "response_unusable",
  /** The base URL uses plain HTTP and its host is not localhost or another loopback address. */
  "insecure_url",
  /** The base URL is not absolute, or contains a user, a password, a query or a fragment. */
  "url_invalid",
  /** The API key is not a secret key (`svc_sk_test_…` or `svc_sk_live_…`). */
  "key_invalid",
  /** The client rejected an ID, an Idempotency-Key, a header or an option of the call, and sent nothing. */
  "request_invalid",
  /** A webhook request has no signature header, so the service did not send it. */
  "signature_missing",
  /** A webhook request has several signature headers, or a header that is not a signature. */
  "signature_malformed",
  /** None of the secrets signed the body of a webhook. */
  "signature_mismatch",
  /** A webhook cannot be verified without the secret of its endpoint. */
  "secret_missing",
  /** The body of a webhook was parsed before its signature was verified. */
  "body_parsed",
  /** The body of a webhook is signed, and is not an event. */
  "event_unreadable",
] as const;

export type ServiceErrorCode = (typeof SERVICE_CODES)[number] | (typeof CLIENT_CODES)[number];

/** The service's `error.details`, with personal data removed. */
export type ErrorDetails = {
  /** The messages of a validation error, keyed by field path. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** The details, when the service sends a string instead of an object. */
  readonly text?: string;
  /** The number of calls that the exceeded rate limit allows in its window. */
  readonly rateLimit?: number;
};

export type ServiceErrorFields = {
  readonly status?: number | undefined;
  readonly requestId?: string | null | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly memberAccountProblem?: MemberAccountProblem | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | null | undefined;
  /** Default false. */
  readonly mayHaveSucceeded?: boolean | undefined;
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
 * The only error that this package throws. Check `code`; do not use `instanceof`: a program may load the class twice, once
 * as ESM and once as CommonJS. The error contains no API key, secret, card number, email address or phone number.
 */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  /** HTTP status of the response, if the service responded. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later. Repeat a write under the same Idempotency-Key. */
  readonly retryable: boolean;
  /** The request ID to quote when contacting support. */
  readonly requestId: string | null;
  /** How long the service asked to wait: its `Retry-After` header, or else `details.retry_after_seconds`. */
  readonly retryAfterMs: number | undefined;
  readonly details: ErrorDetails | undefined;
  /** Why the service refused a request for a Member Account. Check this field; `code` and `status` of such errors vary. */
  readonly memberAccountProblem: MemberAccountProblem | undefined;
  /**
   * The service may have processed this write: at least one attempt was sent and got no readable response, or a
   * successful response lacks the resource. `code` and `status` describe only the last attempt. Retrieve the resource to
   * find out whether the write happened; a repeat under another Idempotency-Key could execute it twice. False for every
   * read, and for a write whose attempts were all refused or never sent.
   */
  readonly mayHaveSucceeded: boolean;
  /** The key that the write was sent under: repeat the write under the same key. Null for reads and for requests that were not sent. */
  readonly idempotencyKey: string | null;
  /**
   * The parsed body of the error response, without secrets, card numbers, email addresses and phone numbers; undefined when there is
   * none. It is not enumerable, so a log of the error does not hold it.
   */
  declare readonly body: unknown;

  constructor(code: ServiceErrorCode, message: string, fields: ServiceErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = "ServiceError";
    this.code = code;
    this.status = fields.status;
    this.retryable = RETRYABLE.has(code);
    this.requestId = fields.requestId ?? null;
    this.retryAfterMs = fields.retryAfterMs;
    this.details = fields.details;
    this.memberAccountProblem = fields.memberAccountProblem;
    this.mayHaveSucceeded = fields.mayHaveSucceeded ?? false;
    this.idempotencyKey = fields.idempotencyKey ?? null;
    Object.defineProperty(this, "body", { value: fields.body, enumerable: false });
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, status, retryable, requestId, retryAfterMs, details } = this;
    const { memberAccountProblem, mayHaveSucceeded, idempotencyKey } = this;
    return {
      name,
      code,
      message,
      status,
      retryable,
      requestId,
      retryAfterMs,
      details,
      memberAccountProblem,
      mayHaveSucceeded,
      idempotencyKey,
    };
  }
}

/** Copies the error with the fields and the message of `overrides`. */
export function copyServiceError(
  error: ServiceError,
  overrides: ServiceErrorFields & { readonly message?: string },
): ServiceError {
  const { status, requestId, retryAfterMs, details, memberAccountProblem, mayHaveSucceeded, cause } = error;
  const { idempotencyKey, body } = error;
  const fields = {
    status,
    requestId,
    retryAfterMs,
    details,
    memberAccountProblem,
    mayHaveSucceeded,
    idempotencyKey,
    body,
    cause,
    ...overrides,
  };
  return new ServiceError(error.code, overrides.message ?? error.message, fields);
}

/** Recognizes a `ServiceError` of every copy of the class; `instanceof` recognizes only its own copy. */
export function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && thrown.name === "ServiceError" && "retryable" in thrown;
}
