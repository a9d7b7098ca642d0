import { readErrorResponse, readRequestId } from "../errors/error-response.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type RateLimit, readRateLimit } from "../rate-limits/rate-limit.ts";
import type { TransportResponse } from "../transport/transport.ts";
import { readRetryAfter } from "./retry-wait.ts";

/** A successful answer, parsed and not yet read. */
export type ParsedResponse = {
  readonly json: unknown;
  readonly status: number;
  readonly requestId: string | null;
  readonly replayed: boolean;
  readonly rateLimit: RateLimit | null;
  /** An earlier try of this write was sent and got no readable answer. */
  readonly earlierTryMayHaveLanded: boolean;
};

/** @throws ServiceError one of the service's codes, `response_truncated`, `response_unreadable` */
export function parseResponse({ status, headers, body }: TransportResponse, now: number): ParsedResponse {
  const requestId = readRequestId(headers["x-request-id"]);
  const words = decode(body);
  if (status < 200 || status >= 300) {
    if (status < 400)
      throw new ServiceError("response_unreadable", `The service answered ${status}, a redirect: check the base URL.`, {
        status,
        requestId,
        mayHaveLanded: true,
      });
    const retryAfterMs = readRetryAfter(headers["retry-after"], now);
    throw readErrorResponse({ status, body: parse(words), requestId, retryAfterMs });
  }
  const json = words === "" ? null : parse(words);
  if (json === undefined) throw notJson(words, status, requestId);
  const replayed = headers["idempotency-cache-hit"] === "true";
  return { json, status, requestId, replayed, rateLimit: readRateLimit(headers), earlierTryMayHaveLanded: false };
}

/** JSON that began and did not end was cut on the way; anything else never was the API's. */
function notJson(words: string | null, status: number, requestId: string | null): ServiceError {
  const facts = { status, requestId, mayHaveLanded: true };
  return words !== null && /^\s*[[{]/.test(words)
    ? new ServiceError("response_truncated", "The service's answer ended before its JSON was whole.", facts)
    : new ServiceError(
        "response_unreadable",
        `The answer with status ${status} is not JSON: check the base URL.`,
        facts,
      );
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

function parse(words: string | null): unknown {
  try {
    return words === null ? undefined : JSON.parse(words);
  } catch {
    return undefined;
  }
}
