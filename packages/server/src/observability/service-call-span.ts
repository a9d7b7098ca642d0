import { type Clock, systemClock } from "@tillkit/core";
import type { ServiceCall, SpanIds, Tracer } from "@tillkit/runtime";

/** Records one try of a call to the service as a span that has just ended, and returns its ids. */
export function recordServiceCallSpan(
  tracer: Tracer,
  { seconds, code, method, path, host, status, attemptNumber }: ServiceCall,
  clock: Clock = systemClock,
): SpanIds | undefined {
  const span = tracer.start(`${method} ${path}`, {
    kind: "CLIENT",
    startTime: clock.now() - seconds * 1_000,
    attributes: {
      "http.request.method": method,
      "url.template": path,
      "server.address": host,
      ...(status === undefined ? {} : { "http.response.status_code": status }),
      ...(attemptNumber > 1 ? { "http.request.resend_count": attemptNumber - 1 } : {}),
    },
  });
  span.end({ error: code });
  return span.ids;
}
