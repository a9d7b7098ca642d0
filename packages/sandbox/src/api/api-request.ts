import type { IncomingHttpHeaders } from "node:http";
import type { Fault } from "../faults/fault-request.ts";
import type { RequestBody } from "../http/read-json.ts";
import type { Caller } from "./operations/operation.ts";
import type { Route } from "./routes.ts";

export type ApiRequest = {
  method: string;
  /** The requested path, with or without `/v1`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: RequestBody;
};

/** What is known about a request so far. The request log and error responses use it even when a check fails. */
export type RequestProgress = {
  requestId: string;
  /** The path without `/v1`. */
  path: string;
  route: Route | null;
  /** The owner of the API key, also when the request acts for another account. */
  caller: Caller | null;
  fault: Fault | null;
  idempotencyKey: string | null;
  /** True when the response was stored under the Idempotency-Key before. */
  replayed: boolean;
  responseHeaders: Record<string, string>;
};
