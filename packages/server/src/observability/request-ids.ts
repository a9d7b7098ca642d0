import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Log, Random } from "@tillkit/core";
import { type Correlation, redactText, type SpanIds, type Tracer } from "@tillkit/runtime";
import { startRequestSpan } from "./request-span.ts";

/** The first part of each path of this server. The rest of a path can be a secret token and is never logged. */
const ROUTES = [
  "pay",
  "return",
  "cancel",
  "status",
  "hooks",
  "operators",
  "livez",
  "healthz",
  "readyz",
  "metrics",
] as const;

export type Route = (typeof ROUTES)[number];

/** `span`: the ids of the request's span, when it is traced. */
export type AnsweredRequest = {
  readonly route: Route;
  readonly status: number;
  readonly seconds: number;
  readonly span?: SpanIds | undefined;
};

export type RequestIdsOptions = {
  readonly basePath: string;
  readonly correlation: Correlation;
  readonly random: Random;
  readonly log: Log;
  /** Null: requests are not traced. */
  readonly tracer: Tracer | null;
  readonly onAnswered: (answer: AnsweredRequest) => void;
};

/**
 * Gives every request an id: the proxy's id when that is safe to log, else a new id. The response carries the id as `X-Request-Id`,
 * and every log line of the request has it as `request`.
 */
export function createRequestIds(options: RequestIdsOptions) {
  const { basePath, correlation, random, log, tracer, onAnswered } = options;

  function reportWhenAnswered(
    request: IncomingMessage,
    response: ServerResponse,
    { id, route, span }: ReportedRequest,
  ): void {
    if (route === null) return;
    const startedAt = performance.now();
    response.once("close", () => {
      const durationMs = performance.now() - startedAt;
      // 499: the client disconnected before the end of the response.
      const status = response.writableFinished ? response.statusCode : 499;
      onAnswered({ route, status, seconds: durationMs / 1_000, span });
      const method = request.method ?? "";
      log.info("http.answered", { request: id, method, route, status, durationMs: Math.round(durationMs) });
    });
  }

  return function withRequestId(next: RequestListener): RequestListener {
    return function handleWithId(request, response) {
      // A request that came through `listener` already has its id when it reaches the router.
      if (correlation.current().request !== undefined) return next(request, response);
      const id = readId(request.headers["x-request-id"]) ?? random.uuid();
      response.setHeader("X-Request-Id", id);
      const route = routeOf(request.url ?? "", basePath);
      const span = tracer && startRequestSpan(tracer, request, response, route);
      reportWhenAnswered(request, response, { id, route, span: span?.ids });
      const handle = () => correlation.run({ request: id }, () => next(request, response));
      if (span) span.run(handle);
      else handle();
    };
  };
}

type ReportedRequest = { readonly id: string; readonly route: Route | null; readonly span: SpanIds | undefined };

function readId(header: string | readonly string[] | undefined): string | null {
  const isSafe = typeof header === "string" && /^[\w.:-]{8,100}$/.test(header) && redactText(header) === header;
  return isSafe ? header : null;
}

function routeOf(url: string, basePath: string): Route | null {
  const path = url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
  const first = /^\/(\w+)/.exec(path)?.[1];
  return ROUTES.find((route) => route === first) ?? null;
}
