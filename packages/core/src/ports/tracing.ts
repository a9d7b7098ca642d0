import type { Payment } from "../domain/payment.ts";

/** One step of a payment, as a tracing system shows it. It holds ids and names only: nothing secret and nothing personal. */
export type TracedStep = {
  readonly name: "start checkout" | "process webhook" | "confirm payment" | "run job";
  readonly storeId: string;
  /** The payment in whose trace the step is; absent while there is none. */
  readonly payment?: Pick<Payment, "id" | "traceparent">;
  /** The event's name, the signal or the kind of the job. */
  readonly detail?: string;
  /**
   * When the step began, in milliseconds since 1970. Set only for a step that began before this call, such as a webhook that waited
   * in the ledger.
   */
  readonly since?: number;
};

/** Shows the steps of a payment to a tracing system, such as OpenTelemetry, as one trace across requests and processes. */
export interface Tracing {
  /** Runs `work` as a step, in the trace that the step's payment began, and returns its result. */
  step<Result>(step: TracedStep, work: () => Promise<Result>): Promise<Result>;
  /** The running step as W3C `traceparent`; undefined outside of a trace. It is stored with a new payment. */
  current(): string | undefined;
}

/** Traces nothing. */
export const NO_TRACING: Tracing = {
  step: (_step, work) => work(),
  current: () => undefined,
};
