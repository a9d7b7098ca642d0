import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenSpan, Tracer } from "@tillkit/runtime";
import type { Route } from "./request-ids.ts";

/** Paths whose second part is a secret token or an id, which no span may show. */
const TEMPLATES: Readonly<Partial<Record<Route, string>>> = {
  pay: "/pay/:token",
  return: "/return/:token",
  cancel: "/cancel/:token",
  status: "/status/:token",
  hooks: "/hooks/service/:endpointId",
  operators: "/operators",
};

/** Supervisors and scrapers send many requests, none of which is about a payment. */
const UNTRACED: ReadonlySet<Route | null> = new Set(["livez", "healthz", "readyz", "metrics"]);

/**
 * Starts the span of a request, which ends with its response. The trace of a proxy in front is continued (`traceparent`). A
 * request of the host's own routes, such as a platform's pay link, is named by its method alone: its path may hold a secret.
 */
export function startRequestSpan(
  tracer: Tracer,
  request: IncomingMessage,
  response: ServerResponse,
  route: Route | null,
): OpenSpan | null {
  if (UNTRACED.has(route)) return null;
  const template = route === null ? undefined : TEMPLATES[route];
  const method = METHODS.has(request.method ?? "") ? (request.method ?? "") : "_OTHER";
  const { traceparent } = request.headers;
  const span = tracer.start(template === undefined ? method : `${method} ${template}`, {
    kind: "SERVER",
    attributes: { "http.request.method": method, ...(template === undefined ? {} : { "http.route": template }) },
    traceparent: typeof traceparent === "string" ? traceparent : undefined,
  });
  response.once("close", () => {
    const status = response.statusCode;
    const error = response.writableFinished ? undefined : "client_disconnected";
    span.end({
      attributes: { "http.response.status_code": status },
      error: error ?? (status >= 500 ? String(status) : undefined),
    });
  });
  return span;
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);
