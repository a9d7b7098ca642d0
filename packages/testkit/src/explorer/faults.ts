import { CheckoutError, limits, StoreError } from "@tillkit/core";
import type { ParkedStep, PortName } from "./step.ts";

const SECOND = 1_000;

/**
 * What can go wrong with one step. `fails`: nothing happens. `answer-lost`: it happens, and its caller is told that it may not have
 * happened. `crash`: it happens and its process is dead. `late`: it happens later, and `dies`: its process is dead at once. `works`: the shop
 * works on it for so long, and `works-alone`: its sender is dead meanwhile. `frozen`: its process is stopped before it; `suspended`: together with its monotonic clock.
 */
export type Fault =
  | { readonly kind: "fails" | "answer-lost" | "crash" }
  | { readonly kind: "late" | "works" | "works-alone" | "dies"; readonly ms: number }
  | Freeze;

export type Freeze = { readonly kind: "frozen" | "suspended"; readonly ms: number };

// Each duration straddles one limit of the engine, and follows it when it changes.
const JUST_LATER_MS = SECOND;
/** Longer than a request of an adapter waits, than an order's lease, and than a call to a store. */
const LATE_MS = [6 * SECOND, limits.orderLeaseMs + JUST_LATER_MS, limits.storeCallMs + 5 * SECOND];
/** The request of a dead process arrives before and after the lease's end, and shortly before a late write is over. */
const ORPHAN_MS = [2 * SECOND, limits.orderLeaseMs + limits.jobLeaseMs - 2 * SECOND, limits.lateWriteMs - 20 * SECOND];
const WORK_MS = [6 * SECOND, limits.storeCallMs + 5 * SECOND, limits.lateWriteMs - 10 * SECOND];
const FROZEN_MS = [limits.orderLeaseMs + JUST_LATER_MS, limits.decisionReadMs];
const SUSPENDED_MS = limits.keyLifeMs + 2 * 60 * 60 * SECOND;

const CRASHES: readonly Fault[] = [{ kind: "answer-lost" }, { kind: "crash" }];
const FREEZES: readonly Fault[] = [
  ...FROZEN_MS.map((ms): Fault => ({ kind: "frozen", ms })),
  { kind: "suspended", ms: SUSPENDED_MS },
];
const FAILS: Fault = { kind: "fails" };
const LEASE_FAULTS: readonly Fault[] = [FAILS, ...CRASHES];
const LATE = LATE_MS.map((ms): Fault => ({ kind: "late", ms }));
const REMOTE_WRITE: readonly Fault[] = [
  FAILS,
  ...CRASHES,
  ...LATE,
  ...ORPHAN_MS.map((ms): Fault => ({ kind: "dies", ms })),
  ...FREEZES,
];

/** A process that is stopped before it takes or returns a lease is one that comes later. */
const LEASES: ReadonlySet<string> = new Set(["claim", "renewJobs", "lockOrder", "unlockOrder"]);

const FAULTS: Readonly<Record<PortName, { readonly read: readonly Fault[]; readonly write: readonly Fault[] }>> = {
  // A slow ledger is a frozen process; its caller has no deadline.
  ledger: { read: [FAILS], write: [FAILS, ...CRASHES, ...FREEZES] },
  service: { read: [FAILS, ...LATE], write: REMOTE_WRITE },
  // A late answer of the shop has no effect that its failure does not have: the request ends after five seconds.
  shop: { read: [FAILS], write: REMOTE_WRITE },
  work: {
    read: [],
    write: WORK_MS.flatMap((ms): Fault[] => [
      { kind: "works", ms },
      { kind: "works-alone", ms },
    ]),
  },
  act: { read: [], write: [] },
};

export function faultsOf({ port, method, isWrite, isLate = false }: ParkedStep): readonly Fault[] {
  if (port === "ledger" && LEASES.has(method)) return LEASE_FAULTS;
  // A request that travelled for long and is then worked on for long would break the bound that its shop declares.
  if (port === "work" && isLate) return [];
  return FAULTS[port][isWrite ? "write" : "read"];
}

export function nameOfFault(fault: Fault): string {
  return "ms" in fault ? `${fault.kind} ${fault.ms / SECOND} s` : fault.kind;
}

/** The error of a call without a usable answer. `mayHaveHappened`: its caller cannot know. */
export function errorOf(port: PortName, mayHaveHappened: boolean): Error {
  if (port === "ledger") return new Error("The database did not answer.");
  if (port === "service") {
    return new CheckoutError("service_unavailable", "The service did not answer.", { retryable: true });
  }
  return mayHaveHappened
    ? new StoreError("unknown", "The shop did not answer. It may have performed the write.")
    : new StoreError("unavailable", "The shop answered 503 and did nothing. Try again.");
}
