import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Log, Random } from "@tillkit/core";
import { type Correlation, redactText } from "@tillkit/runtime";

/** The first part of each path of ours. What follows it can be a key and is told nobody. */
const ROUTES = ["pay", "return", "cancel", "status", "hooks", "operators", "healthz", "readyz", "metrics"] as const;

export type Route = (typeof ROUTES)[number];

export type Answered = { readonly route: Route; readonly status: number; readonly seconds: number };

export type IdentifiedRequestsOptions = {
  readonly basePath: string;
  readonly correlation: Correlation;
  readonly random: Random;
  readonly log: Log;
  readonly answered: (answer: Answered) => void;
};

/**
 * Gives every request an id: a proxy's own when it is a sane one, else a new one. The answer names it in `X-Request-Id`, and
 * every log line of the request carries it.
 */
export function createIdentifiedRequests(options: IdentifiedRequestsOptions) {
  const { basePath, correlation, random, log, answered } = options;

  function tell(request: IncomingMessage, response: ServerResponse, id: string): void {
    const route = routeOf(request.url ?? "", basePath);
    if (route === null) return;
    const startedAt = performance.now();
    response.once("close", () => {
      const ms = performance.now() - startedAt;
      // Left before the end: nothing was answered.
      const status = response.writableFinished ? response.statusCode : 499;
      answered({ route, status, seconds: ms / 1_000 });
      const method = request.method ?? "";
      log.info("http.answered", { request: id, method, route, status, durationMs: Math.round(ms) });
    });
  }

  return function identified(next: RequestListener): RequestListener {
    return function takeRequest(request, response) {
      // The router behind the listener meets a request that has its id already.
      if (correlation.current().request !== undefined) return next(request, response);
      const id = saneId(request.headers["x-request-id"]) ?? random.uuid();
      response.setHeader("X-Request-Id", id);
      tell(request, response, id);
      correlation.run({ request: id }, () => next(request, response));
    };
  };
}

function saneId(given: string | readonly string[] | undefined): string | null {
  const isSane = typeof given === "string" && /^[\w.:-]{8,100}$/.test(given) && redactText(given) === given;
  return isSane ? given : null;
}

function routeOf(url: string, basePath: string): Route | null {
  const path = url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
  const first = /^\/(\w+)/.exec(path)?.[1];
  return ROUTES.find((route) => route === first) ?? null;
}
