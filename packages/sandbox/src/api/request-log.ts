import { limits } from "../limits.ts";

/** What is remembered of a request to the API: never its body, never its key. */
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

export type RequestLog = {
  add(record: RequestRecord): void;
  /** Newest first. */
  list(requestId?: string): readonly RequestRecord[];
  clear(): void;
};

/** Keeps the last requests in memory; older ones are forgotten. */
export function createRequestLog(): RequestLog {
  let records: RequestRecord[] = [];
  return {
    add(record) {
      records.push(record);
      // Cut in blocks: moving the whole array for every request would cost more than the request.
      if (records.length >= limits.requestsRemembered * 2) records = records.slice(-limits.requestsRemembered);
    },
    list(requestId) {
      const kept = records.slice(-limits.requestsRemembered).reverse();
      return requestId === undefined ? kept : kept.filter((record) => record.request_id === requestId);
    },
    clear() {
      records = [];
    },
  };
}
