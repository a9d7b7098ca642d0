import { parseErrorResponse, parseRequestId } from "../errors/error-response.ts";
import { ServiceError } from "../errors/service-error.ts";
import { parseRateLimit, type RateLimit } from "../rate-limits/rate-limit.ts";
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
