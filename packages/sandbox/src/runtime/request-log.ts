import { limits } from "../domain/limits.ts";
import { redactBody } from "./redact-body.ts";

/** What is remembered of a request to the API: never its key. */
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

/** Both bodies. Null: there was none, or none that is kept. */
export type Exchange = { requestBody: string | null; responseBody: string | null };

export type RequestLog = {
  add(record: RequestRecord, exchange: Exchange): void;
  /** Newest first. */
  list(requestId?: string): readonly RequestRecord[];
  /** The bodies of one of the newest requests, as they may be shown; null when they were forgotten. */
  exchange(record: RequestRecord): Exchange | null;
  clear(): void;
};

/** Keeps the last requests in memory; older ones are forgotten. */
export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  const exchanges = new Map<RequestRecord, Exchange>();
  return {
    add(record, exchange) {
      records.push(record);
      exchanges.set(record, {
        requestBody: withinSizeLimit(exchange.requestBody),
        responseBody: withinSizeLimit(exchange.responseBody),
      });
      const [oldest] = exchanges.size > limits.exchangesRemembered ? exchanges.keys() : [];
      if (oldest !== undefined) exchanges.delete(oldest);
      // Cut in blocks: moving the whole array for every request would cost more than the request.
      if (records.length >= limits.requestsRemembered * 2) records = records.slice(-limits.requestsRemembered);
    },
    list(requestId) {
      const newestFirst = records.slice(-limits.requestsRemembered).reverse();
      return requestId === undefined
        ? withinSizeLimit
        : withinSizeLimit.filter((record) => record.request_id === requestId);
    },
    exchange(record) {
      const exchange = exchanges.get(record);
      // Made fit to be shown only now: doing it for every request would cost more than remembering it.
      return exchange === undefined
        ? null
        : { requestBody: redacted(exchange.requestBody), responseBody: redacted(exchange.responseBody) };
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

function redacted(body: string | null): string | null {
  return body === null ? null : redactBody(body);
}
