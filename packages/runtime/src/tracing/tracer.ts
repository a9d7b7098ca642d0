import { codeOf } from "@tillkit/core";
import type { Attributes, OpenTelemetry, OtelSpan } from "./open-telemetry.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

export type SpanOptions = {
  readonly kind: "INTERNAL" | "SERVER" | "CLIENT" | "CONSUMER";
  readonly attributes: Attributes;
  /** Milliseconds since 1970; now unless set. */
  readonly startTime?: number | undefined;
  /** The trace to continue. A span of another trace that is running gets linked. */
  readonly traceparent?: string | undefined;
};

/** The ids of a span, under the names that exemplars have. */
export type SpanIds = { readonly trace_id: string; readonly span_id: string };

export type OpenSpan = {
  /** Undefined for a span that is not sampled: nobody could look it up. */
  readonly ids: SpanIds | undefined;
  run<Result>(work: () => Result): Result;
  /** `error`: the code of a failure. A message could hold personal data, so none is recorded. */
  end(result?: { readonly attributes?: Attributes; readonly error?: string | undefined }): void;
};

/** Makes spans. Attributes are ids and names only, which callers see to. */
export type Tracer = {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Runs `work` in a span of its own, which fails as the work does. */
  run<Result>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
  /** W3C `traceparent` of the running span. */
  current(): string | undefined;
};

export function createTracer({ trace, context, SpanKind, SpanStatusCode }: OpenTelemetry): Tracer {
  const otel = trace.getTracer("tillkit");

  function start(name: string, { kind, attributes, startTime, traceparent }: SpanOptions): OpenSpan {
    const active = context.active();
    const running = trace.getSpan(active)?.spanContext();
    const continued = parseTraceparent(traceparent);
    const isOther = continued !== null && continued.traceId !== running?.traceId;
    const parent = isOther ? trace.setSpan(active, trace.wrapSpanContext(continued)) : active;
    const options = {
      kind: SpanKind[kind],
      attributes,
      ...(startTime === undefined ? {} : { startTime }),
      ...(isOther && running ? { links: [{ context: running }] } : {}),
    };
    return openSpan(otel.startSpan(name, options, parent), parent);
  }

  function openSpan(span: OtelSpan, parent: ReturnType<typeof context.active>): OpenSpan {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      ids: traceFlags % 2 === 1 ? { trace_id: traceId, span_id: spanId } : undefined,
      run: (work) => context.with(trace.setSpan(parent, span), work),
      end({ attributes = {}, error } = {}) {
        span.setAttributes(error === undefined ? attributes : { ...attributes, "error.type": error });
        if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    start,
    async run(name, options, work) {
      const span = start(name, options);
      try {
        const result = await span.run(() => work(span));
        span.end();
        return result;
      } catch (error) {
        span.end({ error: codeOf(error) });
        throw error;
      }
    },
    current() {
      const running = trace.getSpan(context.active())?.spanContext();
      return running && parseTraceparent(formatTraceparent(running)) ? formatTraceparent(running) : undefined;
    },
  };
}
