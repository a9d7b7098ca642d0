/**
 * The part of `@opentelemetry/api` that Tillkit uses. A host passes its own copy of that module, to which its SDK is connected, so
 * that this package does not depend on the module.
 */
export type OpenTelemetry = {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: OtelSpanOptions, context: OtelContext): OtelSpan };
    setSpan(context: OtelContext, span: OtelSpan): OtelContext;
    getSpan(context: OtelContext): OtelSpan | undefined;
    wrapSpanContext(context: OtelSpanContext): OtelSpan;
  };
  readonly context: {
    active(): OtelContext;
    with<Result>(context: OtelContext, work: () => Result): Result;
  };
  readonly SpanKind: Readonly<Record<"INTERNAL" | "SERVER" | "CLIENT" | "CONSUMER", number>>;
  readonly SpanStatusCode: { readonly ERROR: number };
};

export type Attributes = Readonly<Record<string, string | number>>;

export type OtelContext = {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
  deleteValue(key: symbol): OtelContext;
};

export type OtelSpanContext = {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
};

export type OtelSpan = {
  spanContext(): OtelSpanContext;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(endTime?: number): void;
};

export type OtelSpanOptions = {
  readonly kind: number;
  readonly attributes: Attributes;
  readonly startTime?: number;
  readonly links?: { readonly context: OtelSpanContext }[];
};
