import { ERROR_MESSAGE_LENGTH } from "../limits.ts";
import { redact } from "../redact.ts";
import { SERVICE_CODES, ServiceError, type ServiceErrorCode } from "../service-error.ts";
import { isRow, number, type Row, text } from "./fields.ts";
import { readNetworkProblem } from "./network-problem.ts";

/** `error.details`, read leniently and cleaned of personal data. */
export type ErrorDetails = {
  /** Of a validation failure: what is wrong, by field path. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** Where the service answered a sentence instead. */
  readonly text?: string;
  readonly retryAfterSeconds?: number;
  readonly limit?: number;
};

export type ErrorAnswer = {
  readonly status: number;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly retryAfterMs: number | undefined;
};

/** Reads the error object and the older forms `{ message: "…" }` and `{ message: ["…"] }`. */
export function readErrorAnswer({ status, body, requestId, retryAfterMs }: ErrorAnswer): ServiceError {
  const envelope = isRow(body) ? body : {};
  const error = isRow(envelope.error) ? envelope.error : {};
  const code = knownCode(text(error, "code"), status);
  const details = readDetails(error.details);
  const said = text(error, "message") ?? oldMessage(envelope) ?? `The service answered ${status}`;
  return new ServiceError(code, redact(said).slice(0, ERROR_MESSAGE_LENGTH), {
    status,
    requestId: text(envelope, "request_id") ?? requestId,
    retryAfterMs: retryAfterMs ?? secondsToMs(details?.retryAfterSeconds),
    details,
    networkProblem: readNetworkProblem(said),
  });
}

function oldMessage(envelope: Row): string | undefined {
  const { message } = envelope;
  if (Array.isArray(message)) return message.filter((part) => typeof part === "string").join("; ") || undefined;
  return text(envelope, "message");
}

/** A code that is new to us is read as the closest one of its status. */
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

function readDetails(details: unknown): ErrorDetails | undefined {
  if (typeof details === "string") return { text: redact(details) };
  if (!isRow(details)) return undefined;
  const fields: Record<string, readonly string[]> = {};
  for (const [path, problems] of Object.entries(details)) {
    const list = (Array.isArray(problems) ? problems : [problems]).filter((problem) => typeof problem === "string");
    if (list.length > 0) fields[redact(path)] = list.map(redact);
  }
  const retryAfterSeconds = number(details, "retry_after_seconds");
  const limit = number(details, "limit");
  return {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(limit !== undefined && { limit }),
  };
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined || seconds < 0 ? undefined : seconds * 1000;
}
