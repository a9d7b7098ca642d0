import type { Hooks } from "./hooks.ts";

/** The part of a `Tracer` of @opentelemetry/api that the hooks use. */
export type TracerLike = {
  startSpan(name: string, options: { kind: number; attributes: Record<string, string | number> }): SpanLike;
};

export type SpanLike = {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
};

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR`, copied so that @opentelemetry/api stays optional. */
const CLIENT_SPAN = 2;
const ERROR_STATUS = 2;

/** Hooks that record one client span per attempt. Pass `trace.getTracer("tillkit")`. */
export function createTraceHooks(tracer: TracerLike): Hooks {
  const spans = new Map<number, SpanLike>();
  return {
    request({ call, operation, method, path, attemptNumber }) {
      const attributes = {
        "http.request.method": method,
        "url.template": path,
        "http.request.resend_count": attemptNumber - 1,
      };
      spans.set(call, tracer.startSpan(operation, { kind: CLIENT_SPAN, attributes }));
    },
    response({ call, status, requestId, code }) {
      const span = spans.get(call);
      spans.delete(call);
      if (status !== undefined) span?.setAttribute("http.response.status_code", status);
      if (requestId !== null) span?.setAttribute("service.request_id", requestId);
      if (code !== undefined) {
        span?.setAttribute("error.type", code);
        span?.setStatus({ code: ERROR_STATUS });
      }
      span?.end();
    },
  };
}
