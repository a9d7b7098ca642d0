import { readErrorAnswer, readRequestId } from "../answers/error-answer.ts";
import { type RateLimit, readRateLimit } from "../answers/rate-limit.ts";
import { ServiceError } from "../service-error.ts";
import type { TransportAnswer } from "../transport/transport.ts";
import { readRetryAfter } from "./retry-wait.ts";

/** A successful answer, parsed and not yet read. */
export type Answer = {
  readonly json: unknown;
  readonly status: number;
  readonly requestId: string | null;
  readonly replayed: boolean;
  readonly rateLimit: RateLimit | null;
  /** An earlier try of this write was sent and got no readable answer. */
  readonly followsDoubt: boolean;
};

/** @throws ServiceError one of the service's codes, `answer_cut`, `answer_unreadable` */
export function readAnswer({ status, headers, body }: TransportAnswer, now: number): Answer {
  const requestId = readRequestId(headers["x-request-id"]);
  const words = decode(body);
  if (status < 200 || status >= 300) {
    if (status < 400)
      throw new ServiceError("answer_unreadable", `The service answered ${status}, a redirect: check the base URL.`, {
        status,
        requestId,
        mayHaveLanded: true,
      });
    const retryAfterMs = readRetryAfter(headers["retry-after"], now);
    throw readErrorAnswer({ status, body: parse(words), requestId, retryAfterMs });
  }
  const json = words === "" ? null : parse(words);
  if (json === undefined) throw notJson(words, status, requestId);
  const replayed = headers["idempotency-cache-hit"] === "true";
  return { json, status, requestId, replayed, rateLimit: readRateLimit(headers), followsDoubt: false };
}

/** JSON that began and did not end was cut on the way; anything else never was the API's. */
function notJson(words: string | null, status: number, requestId: string | null): ServiceError {
  const facts = { status, requestId, mayHaveLanded: true };
  return words !== null && /^\s*[[{]/.test(words)
    ? new ServiceError("answer_cut", "The service's answer ended before its JSON was whole.", facts)
    : new ServiceError("answer_unreadable", `The answer with status ${status} is not JSON: check the base URL.`, facts);
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
