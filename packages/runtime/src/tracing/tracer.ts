import { codeOf } from "@tillkit/core";
import type { Attributes, OpenTelemetry, OtelSpan } from "./open-telemetry.ts";
import { formatTraceparent, parseTraceparent } from "./traceparent.ts";

export type SpanOptions = {
  readonly kind: "INTERNAL" | "SERVER" | "CLIENT" | "CONSUMER";
  readonly attributes: Attributes;
  /** Milliseconds since 1970; now unless set. */
  readonly startTime?: number | undefined;
  /** The trace to continue. If a span of another trace is running, the new span links to that span. */
  readonly traceparent?: string | undefined;
};

/** The ids of a span. Metrics attach them to a sample as its exemplar, whose labels OpenMetrics calls `trace_id` and `span_id`. */
export type SpanIds = { readonly trace_id: string; readonly span_id: string };

export type OpenSpan = {
  /** Undefined for a span that is not sampled: nobody could look it up. */
  readonly ids: SpanIds | undefined;
  run<Result>(work: () => Result): Result;
  /** `error`: the code of a failure. The message is not recorded, because it could hold personal data. */
  end(result?: { readonly attributes?: Attributes; readonly error?: string | undefined }): void;
};

/** Makes spans. Callers pass only ids and names as attributes, and nothing personal. */
export type Tracer = {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Runs `work` in a span of its own. When `work` fails, the span gets the error's code. */
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
    const changesTrace = continued !== null && continued.traceId !== running?.traceId;
    const parentContext = changesTrace ? trace.setSpan(active, trace.wrapSpanContext(continued)) : active;
    const options = {
      kind: SpanKind[kind],
      attributes,
      ...(startTime === undefined ? {} : { startTime }),
      ...(changesTrace && running ? { links: [{ context: running }] } : {}),
    };
    return openSpan(otel.startSpan(name, options, parentContext), parentContext);
  }

  function openSpan(span: OtelSpan, parentContext: ReturnType<typeof context.active>): OpenSpan {
    const { traceId, spanId, traceFlags } = span.spanContext();
    const isSampled = traceFlags % 2 === 1;
    return {
      ids: isSampled ? { trace_id: traceId, span_id: spanId } : undefined,
      run: (work) => context.with(trace.setSpan(parentContext, span), work),
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
      const traceparent = running && formatTraceparent(running);
      // Without an SDK the ids of the running span are zeros, which no trace has.
      return parseTraceparent(traceparent) === null ? undefined : traceparent;
    },
  };
}
