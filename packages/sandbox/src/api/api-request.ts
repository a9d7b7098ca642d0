import type { IncomingHttpHeaders } from "node:http";
import type { Fault } from "../faults/fault-request.ts";
import type { RequestBody } from "../http/read-json.ts";
import type { Caller } from "./operations/operation.ts";
import type { Route } from "./routes.ts";

export type ApiRequest = {
  method: string;
  /** As it was asked for, with or without `/v1`. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: RequestBody;
};

/** What is learned on the way and said afterwards, whether it ended well or not. */
export type RequestProgress = {
  requestId: string;
  /** Without `/v1`. */
  path: string;
  route: Route | null;
  caller: Caller | null;
  fault: Fault | null;
  idempotencyKey: string | null;
  replayed: boolean;
  headers: Record<string, string>;
};
