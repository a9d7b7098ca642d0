import type { CircuitBreaker } from "@tillkit/core";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Answered } from "../logs/identified-requests.ts";
import type { LedgerCounts } from "./ledger-counts.ts";

/** What this process has seen, and what the ledger counts at the moment of a scrape. */
export type Metrics = {
  answered(answer: Answered): void;
  /** One try of one call; `code` undefined for a success. */
  serviceCalled(call: { operation: string; seconds: number; code: string | undefined }): void;
  storeWritten(write: { storeId: string; outcome: string }): void;
  /** The text that a scraper reads. `counts` null: the ledger did not answer. */
  text(now: { counts: LedgerCounts | null; breakers: readonly CircuitBreaker[] }): Promise<string>;
  readonly contentType: string;
};

const ACK_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const acks = new Histogram({
    name: "tillkit_webhook_ack_seconds",
    help: "From the first byte of a webhook to the last of its answer.",
    labelNames: ["status"],
    buckets: ACK_BUCKETS,
    registers,
  });
  const answers = new Counter({
    name: "tillkit_http_requests_total",
    help: "Requests that were answered. 499: the sender left before that.",
    labelNames: ["route", "status"],
    registers,
  });
  const calls = new Histogram({
    name: "tillkit_service_call_seconds",
    help: "Tries of calls to the service.",
    labelNames: ["operation"],
    buckets: CALL_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "tillkit_service_call_errors_total",
    help: "Tries of calls to the service that failed.",
    labelNames: ["operation", "code"],
    registers,
  });
  const writes = new Counter({
    name: "tillkit_store_writes_total",
    help: "What stores said when they were told that money arrived.",
    labelNames: ["store", "outcome"],
    registers,
  });
  const gauges = createGauges(registers);

  return {
    answered({ route, status, seconds }) {
      answers.inc({ route, status });
      if (route === "hooks") acks.observe({ status }, seconds);
    },
    serviceCalled({ operation, seconds, code }) {
      calls.observe({ operation }, seconds);
      if (code !== undefined) failures.inc({ operation, code });
    },
    storeWritten: ({ storeId, outcome }) => writes.inc({ store: storeId, outcome }),
    async text({ counts, breakers }) {
      gauges.set(counts, breakers);
      return await registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function createGauges(registers: Registry[]) {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name: `tillkit_${name}`, help, labelNames, registers });
  const payments = gauge("payments", "Payments by state.", ["state"]);
  const jobs = gauge("jobs", "Work: due now, waiting for later, dead (a person has to look).", ["status"]);
  const deliveries = gauge("deliveries", "Webhooks by what came of them.", ["outcome"]);
  const disputes = gauge("disputes", "Disputes: open (the shop can still answer), over.", ["status"]);
  const ledgerUp = gauge("ledger_up", "1 while the ledger answers.", []);
  const breakers = gauge("breaker_open", "1 for each store or credential that this process leaves alone.", ["about"]);

  return {
    set(counts: LedgerCounts | null, open: readonly CircuitBreaker[]): void {
      ledgerUp.set(counts === null ? 0 : 1);
      setAll(payments, "state", counts?.payments);
      setAll(jobs, "status", counts?.jobs);
      setAll(deliveries, "outcome", counts?.deliveries);
      setAll(disputes, "status", counts?.disputes);
      setAll(breakers, "about", Object.fromEntries(open.map(({ target }) => [target, 1])));
    },
  };
}

function setAll(gauge: Gauge, label: string, counts: Readonly<Record<string, number>> = {}): void {
  gauge.reset();
  for (const [name, count] of Object.entries(counts)) gauge.set({ [label]: name }, count);
}
