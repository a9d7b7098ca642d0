import type { OtelSpanContext } from "./open-telemetry.ts";

/** The position in a trace as the W3C header `traceparent` writes it: 55 characters. */
export function formatTraceparent({ traceId, spanId, traceFlags }: OtelSpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags % 2 === 1 ? "01" : "00"}`;
}

/** Null for anything that is no `traceparent` of version 00, such as an id of zeros. */
export function parseTraceparent(text: string | undefined): OtelSpanContext | null {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? "", 16) % 2, isRemote: true };
}
