import { isJsonObject, type JsonObject, numberField, stringField } from "../models/json-fields.ts";
import { MAX_ERROR_FIELDS } from "../system/limits.ts";
import { findMemberAccountProblem } from "./member-account-problem.ts";
import { redactAndTruncate, redactJson } from "./redact.ts";
import { type ErrorDetails, SERVICE_CODES, ServiceError, type ServiceErrorCode } from "./service-error.ts";

export type ErrorResponse = {
  readonly status: number;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly retryAfterMs: number | undefined;
};

/** Reads the error object and its older forms, `{ message: "…" }` and `{ message: ["…"] }` (API.md#errors). */
export function parseErrorResponse({ status, body, requestId, retryAfterMs }: ErrorResponse): ServiceError {
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
export function parseRequestId(value: unknown): string | null {
  return typeof value === "string" && /^[\w.:-]{1,128}$/.test(value) ? value : null;
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds < 0 ? undefined : seconds * 1000;
}
