import type { TracedStep, Tracing } from "@tillkit/core/hosts";
import type { Attributes } from "./open-telemetry.ts";
import type { SpanOptions, Tracer } from "./tracer.ts";

/**
 * Shows the engine's steps as spans. Webhooks and jobs wait in the ledger as in a queue, so their spans have the names and attributes
 * that OpenTelemetry defines for message queues.
 */
export function createPaymentTracing(tracer: Tracer): Tracing {
  return {
    step(step, work) {
      const { name, kind, attributes } = SPANS[step.name](step.detail ?? "");
      const { storeId, payment, since } = step;
      const ids: Attributes = {
        "tillkit.store.id": storeId,
        ...(payment ? { "tillkit.payment.id": payment.id } : {}),
      };
      const options = {
        kind,
        attributes: { ...ids, ...attributes },
        startTime: since,
        traceparent: payment?.traceparent,
      };
      return tracer.run(name, options, work);
    },
    current: tracer.current,
  };
}

type SpanDescription = Pick<SpanOptions, "kind" | "attributes"> & { readonly name: string };

const SPANS: Readonly<Record<TracedStep["name"], (detail: string) => SpanDescription>> = {
  "start checkout": () => ({ name: "start checkout", kind: "INTERNAL", attributes: {} }),
  "confirm payment": (signal) => ({
    name: "confirm payment",
    kind: "INTERNAL",
    attributes: { "tillkit.signal": signal },
  }),
  "process webhook": (event) => queued("webhooks", { "tillkit.event": event }),
  "run job": (kind) => queued("jobs", { "tillkit.job": kind }),
};

function queued(queue: string, attributes: Attributes): SpanDescription {
  return {
    name: `process ${queue}`,
    kind: "CONSUMER",
    attributes: {
      "messaging.system": "tillkit",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.destination.name": queue,
      ...attributes,
    },
  };
}
