import type { CircuitBreaker } from "@tillkit/core/hosts";
import type { ServiceCall, SpanIds } from "@tillkit/runtime";
import { Counter, Gauge, Histogram, type OpenMetricsContentType, Registry } from "prom-client";
import type { Warning } from "../attention/warnings.ts";
import type { LedgerCounts } from "./ledger-counts.ts";
import type { AnsweredRequest } from "./request-ids.ts";

/** Counters of this process, and counts of the ledger at the moment of a scrape. */
export type Metrics = {
  recordRequest(answer: AnsweredRequest): void;
  /** `span`: the ids of the call's span, when it is traced. */
  recordServiceCall(call: ServiceCall, span?: SpanIds): void;
  recordStoreWrite(write: { storeId: string; outcome: string; span?: SpanIds | undefined }): void;
  /**
   * The response to a scraper, as OpenMetrics, where samples of traced requests name their trace (exemplars). `counts` is null when
   * the ledger did not answer.
   */
  text(current: {
    counts: LedgerCounts | null;
    breakers: readonly CircuitBreaker[];
    warnings: readonly Pick<Warning, "code">[];
  }): Promise<string>;
  readonly contentType: string;
};

/** Upper bounds in seconds. */
const ACK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createMetrics(): Metrics {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  const acks = new Histogram<"status" | ExemplarLabel>({
    name: "tillkit_webhook_ack_seconds",
    help: "Time from the first byte of a webhook to the end of the response.",
    labelNames: ["status"],
    buckets: ACK_BUCKETS,
    enableExemplars: true,
    registers,
  });
  const answers = new Counter({
    name: "tillkit_http_requests_total",
    help: "Requests by route and status; 499 when the client disconnected first.",
    labelNames: ["route", "status"],
    registers,
  });
  const calls = new Histogram<"operation" | ExemplarLabel>({
    name: "tillkit_service_call_seconds",
    help: "Tries of calls to the service, in seconds.",
    labelNames: ["operation"],
    buckets: CALL_BUCKETS,
    enableExemplars: true,
    registers,
  });
  const failures = new Counter({
    name: "tillkit_service_call_errors_total",
    help: "Failed tries of calls to the service, by error code.",
    labelNames: ["operation", "code"],
    registers,
  });
  const writes = new Counter<"store" | "outcome" | ExemplarLabel>({
    name: "tillkit_store_writes_total",
    help: "Answers of stores when a payment was recorded in them.",
    labelNames: ["store", "outcome"],
    enableExemplars: true,
    registers,
  });
  const gauges = createGauges(registers);

  return {
    recordRequest({ route, status, seconds, span }) {
      answers.inc({ route, status });
      if (route === "hooks") acks.observe({ labels: { status }, value: seconds, ...exemplarOf(span) });
    },
    recordServiceCall({ operation, seconds, code }, span) {
      calls.observe({ labels: { operation }, value: seconds, ...exemplarOf(span) });
      if (code !== undefined) failures.inc({ operation, code });
    },
    recordStoreWrite: ({ storeId, outcome, span }) =>
      writes.inc({ labels: { store: storeId, outcome }, value: 1, ...exemplarOf(span) }),
    async text({ counts, breakers, warnings }) {
      gauges.set(counts, breakers, warnings);
      return await registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function exemplarOf(span: SpanIds | undefined) {
  return span === undefined ? {} : { exemplarLabels: { ...span } };
}

/** The ids of a span, which the samples of traced requests have beside their own labels. */
type ExemplarLabel = keyof SpanIds;

function createGauges(registers: Registry<OpenMetricsContentType>[]) {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `tillkit_${name}`, help, labelNames, registers });
  const payments = gauge("payments", "Payments by state.", ["state"]);
  const jobs = gauge("jobs", "Jobs: due, waiting for a later time, dead (a person must act).", ["status"]);
  const deliveries = gauge("deliveries", "Webhooks by outcome.", ["outcome"]);
  const disputes = gauge("disputes", "Disputes: open (evidence can still be sent), over.", ["status"]);
  const ledgerUp = gauge("ledger_up", "1 while the ledger answers, else 0.", []);
  const breakers = gauge(
    "breaker_open",
    "1 for each store or credential whose circuit breaker is open in this process.",
    ["target"],
  );
  const warned = gauge("warnings", "What an operator must change soon, by kind; /readyz shows the sentences.", [
    "code",
  ]);

  return {
    set(
      counts: LedgerCounts | null,
      open: readonly CircuitBreaker[],
      warnings: readonly Pick<Warning, "code">[],
    ): void {
      ledgerUp.set(counts === null ? 0 : 1);
      setAll(payments, "state", counts?.payments);
      setAll(jobs, "status", counts?.jobs);
      setAll(deliveries, "outcome", counts?.deliveries);
      setAll(disputes, "status", counts?.disputes);
      setAll(warned, "code", countBy(warnings.map(({ code }) => code)));
      setAll(breakers, "target", Object.fromEntries(open.map(({ target }) => [target, 1])));
    },
  };
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function setAll(gauge: Gauge, label: string, counts: Readonly<Record<string, number>> = {}): void {
  gauge.reset();
  for (const [name, count] of Object.entries(counts)) gauge.set({ [label]: name }, count);
}
