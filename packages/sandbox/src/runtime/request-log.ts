import { limits } from "../domain/limits.ts";
import { redactBody, redactQuery } from "./redact-body.ts";

/** The log entry of a request to the API. It never contains the API key. */
export type RequestRecord = {
  request_id: string;
  method: string;
  path: string;
  status: number | null;
  error_code: string | null;
  idempotency_key: string | null;
  replayed: boolean;
  fault: string | null;
  environment: "test" | "live" | null;
  received_at: string;
  duration_ms: number;
};

/** The rest of a request, and the response. A body is null when there is none, or when it is above the size limit. */
export type Exchange = {
  /** The query of the URL, without the question mark. */
  query: string;
  /** The headers that change what the request does, without the API key. */
  headers: Readonly<Record<string, string>>;
  requestBody: string | null;
  responseBody: string | null;
};

export type RequestLog = {
  add(record: RequestRecord, exchange: Exchange): void;
  /** Newest first. */
  list(requestId?: string): readonly RequestRecord[];
  /** The redacted exchange of a recent request. Null when it is no longer kept. */
  exchange(record: RequestRecord): Exchange | null;
  clear(): void;
};

/** Keeps the newest requests in memory. */
export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  const exchanges = new Map<RequestRecord, Exchange>();
  return {
    add(record, exchange) {
      records.push(record);
      exchanges.set(record, {
        ...exchange,
        requestBody: withinSizeLimit(exchange.requestBody),
        responseBody: withinSizeLimit(exchange.responseBody),
      });
      const [oldest] = exchanges.keys();
      if (exchanges.size > limits.exchangesRemembered && oldest !== undefined) exchanges.delete(oldest);
      // Old records are removed in blocks, because copying the array on every request is slow.
      if (records.length >= limits.requestsRemembered * 2) records = records.slice(-limits.requestsRemembered);
    },
    list(requestId) {
      const newestFirst = records.slice(-limits.requestsRemembered).reverse();
      return requestId === undefined ? newestFirst : newestFirst.filter((record) => record.request_id === requestId);
    },
    exchange(record) {
      const exchange = exchanges.get(record);
      // Bodies are redacted on display, because redacting every request is slow.
      return exchange === undefined
        ? null
        : {
            query: redactQuery(exchange.query),
            headers: exchange.headers,
            requestBody: redactIfPresent(exchange.requestBody),
            responseBody: redactIfPresent(exchange.responseBody),
          };
    },
    clear() {
      records = [];
      exchanges.clear();
    },
  };
}

function withinSizeLimit(body: string | null): string | null {
  return body === null || body === "" || body.length > limits.bodyKept ? null : body;
}

function redactIfPresent(body: string | null): string | null {
  return body === null ? null : redactBody(body);
}
