import { findMemberAccountProblem } from "../errors/member-account-problem.ts";
import { redactAndTruncate, redactJson } from "../errors/redact.ts";
import { type ErrorDetails, SERVICE_CODES, ServiceError, type ServiceErrorCode } from "../errors/service-error.ts";
import { isJsonObject, type JsonObject, numberField, stringField } from "../models/json-fields.ts";
import { parseRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
import { MAX_ERROR_FIELDS } from "../system/limits.ts";
import type { TransportResponse } from "../transport/transport.ts";
import { parseRetryAfter } from "./retry-wait.ts";

/** The parsed body of a successful response, and what its headers say. */
export type ParsedResponse = {
  readonly json: unknown;
  readonly status: number;
  readonly requestId: string | null;
  readonly replayed: boolean;
  readonly rateLimit: RateLimit | null;
  readonly idempotencyKey: string | null;
  /** An earlier attempt of this write was sent and got no readable response. */
  readonly earlierAttemptMayHaveSucceeded: boolean;
};

/** @throws ServiceError one of the service's codes, `response_truncated`, `response_unreadable` */
export function parseResponse({ status, headers, body }: TransportResponse, now: number): ParsedResponse {
  const requestId = parseRequestId(headers["x-request-id"]);
  const text = decodeText(body);
  if (status < 200 || status >= 300) {
    if (status < 400)
      throw new ServiceError(
        "response_unreadable",
        `The service responded with the redirect ${status}: check the base URL.`,
        {
          status,
          requestId,
          mayHaveSucceeded: true,
        },
      );
    const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
    throw parseErrorResponse({ status, body: parseJson(text), requestId, retryAfterMs });
  }
  const json = text === "" ? null : parseJson(text);
  if (json === undefined) throw bodyError(text, status, requestId);
  const replayed = headers["idempotency-cache-hit"] === "true";
  return {
    json,
    status,
    requestId,
    replayed,
    rateLimit: parseRateLimit(headers),
    idempotencyKey: null,
    earlierAttemptMayHaveSucceeded: false,
  };
}

/** A body that begins like JSON was truncated on the way; any other body did not come from the API. */
function bodyError(text: string | null, status: number, requestId: string | null): ServiceError {
  const fields = { status, requestId, mayHaveSucceeded: true };
  return text !== null && /^\s*[[{]/.test(text)
    ? new ServiceError("response_truncated", "The service's response ended before its JSON was complete.", fields)
    : new ServiceError(
        "response_unreadable",
        `The response with status ${status} is not JSON: check the base URL.`,
        fields,
      );
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null for bytes that are no text. */
function decodeText(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** Undefined for a text that is not JSON. */
function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type ErrorResponse = {
  readonly status: number;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly retryAfterMs: number | undefined;
};

/** Reads the error object and its older forms, `{ message: "…" }` and `{ message: ["…"] }` (API.md#errors). */
function parseErrorResponse({ status, body, requestId, retryAfterMs }: ErrorResponse): ServiceError {
  const envelope = isJsonObject(body) ? body : {};
  const error = isJsonObject(envelope.error) ? envelope.error : {};
  const code = knownCode(stringField(error, "code"), status);
  const details = parseDetails(error.details);
  const retryAfterSeconds = isJsonObject(error.details) ? numberField(error.details, "retry_after_seconds") : undefined;
  const message =
    stringField(error, "message") ?? legacyMessage(envelope) ?? `The service responded with status ${status}`;
  return new ServiceError(code, redactAndTruncate(withFieldProblems(message, details)), {
    status,
    body: redactJson(body),
    requestId: parseRequestId(envelope.request_id) ?? requestId,
    retryAfterMs: retryAfterMs ?? secondsToMs(retryAfterSeconds),
    details,
    memberAccountProblem: findMemberAccountProblem(message),
    mayHaveSucceeded: !isRefusal(status, code, envelope),
  });
}

/** Adds the first problems of a validation error to its message, which often says no more than that the request is invalid. */
function withFieldProblems(message: string, details: ErrorDetails | undefined): string {
  const problems = Object.entries(details?.fields ?? {}).map(([path, [problem = ""]]) => `${path}: ${problem}`);
  const shown = problems.slice(0, FIELDS_IN_MESSAGE).join("; ");
  return shown === "" ? message : `${message} (${shown}${problems.length > FIELDS_IN_MESSAGE ? "; …" : ""})`;
}

const FIELDS_IN_MESSAGE = 3;

/** Only an error object proves that the service refused the request; an error page of a gateway proves nothing. */
function isRefusal(status: number, code: ServiceErrorCode, envelope: JsonObject): boolean {
  const isReadable = isJsonObject(envelope.error) || legacyMessage(envelope) !== undefined;
  const isOutcomeUnknown = status >= 500 || status === 408 || code === "idempotency_in_progress";
  return isReadable && !isOutcomeUnknown;
}

function legacyMessage(envelope: JsonObject): string | undefined {
  const { message } = envelope;
  if (Array.isArray(message)) return message.filter((part) => typeof part === "string").join("; ") || undefined;
  return stringField(envelope, "message");
}

/** Maps an unknown code to the closest known code of its status. */
function knownCode(code: string | undefined, status: number): ServiceErrorCode {
  const known = SERVICE_CODES.find((name) => name === code);
  if (known !== undefined) return known;
  if (status >= 500) return status === 500 ? "internal_error" : "service_unavailable";
  return CODE_OF_STATUS[status] ?? "bad_request";
}

const CODE_OF_STATUS: Readonly<Record<number, ServiceErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limit_exceeded",
};

function parseDetails(details: unknown): ErrorDetails | undefined {
  if (typeof details === "string") return { text: redactAndTruncate(details) };
  if (!isJsonObject(details)) return undefined;
  const fields = Object.entries(details).slice(0, MAX_ERROR_FIELDS).map(parseField);
  const messages = Object.fromEntries(fields.filter(([, problems]) => problems.length > 0));
  const rateLimit = numberField(details, "limit");
  return {
    ...(Object.keys(messages).length > 0 && { fields: messages }),
    ...(rateLimit !== undefined && { rateLimit }),
  };
}

function parseField([path, problems]: [string, unknown]): [string, readonly string[]] {
  const list = (Array.isArray(problems) ? problems : [problems]).filter((problem) => typeof problem === "string");
  return [redactAndTruncate(path), list.slice(0, MAX_ERROR_FIELDS).map(redactAndTruncate)];
}

/** Null unless the ID is safe to print. */
function parseRequestId(value: unknown): string | null {
  return typeof value === "string" && /^[\w.:-]{1,128}$/.test(value) ? value : null;
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds < 0 ? undefined : seconds * 1000;
}
