import type { Ledger, Service, StoreAdapter } from "@tillkit/core";

/**
 * What the engine calls outside of itself. `step`: something changes there, or an answer is waited for, and a process is killed
 * before and after it. `read`: a kill there is one after the step before. `aside`: no part of a payment's way.
 * The types see to it that a new method is sorted in here, the census that every step has its failpoint.
 */
type Sorted<Port> = { readonly [Method in keyof Port]-?: "step" | "read" | "aside" };

const ledger: Sorted<Omit<Ledger, "records" | "secrets">> = {
  commit: "step",
  receive: "step",
  claim: "step",
  renewJobs: "step",
  lockOrder: "step",
  unlockOrder: "step",
  renewOrder: "step",
  find: "read",
  siblings: "read",
  refunds: "read",
  disputes: "read",
  timeline: "read",
  delivery: "read",
  openPayments: "read",
  nextDueAt: "read",
  onNewJobs: "read",
  currentTime: "read",
  countPayments: "read",
  listPayments: "read",
  countJobs: "read",
  listJobs: "read",
  countDeliveries: "read",
  listDeliveries: "read",
  countDisputes: "read",
  listDisputes: "read",
  exportOrder: "read",
  prune: "aside",
  eraseOrders: "aside",
  eraseStore: "aside",
  spend: "aside",
  close: "aside",
};

const service: Sorted<Service> = {
  openSession: "step",
  readSession: "step",
  refund: "step",
  readRefunds: "step",
  readTransaction: "read",
  listTransactions: "read",
};

const store: Sorted<Omit<StoreAdapter, "platform" | "name" | "writes" | "retryScheduleMs">> = {
  findOrder: "step",
  markPaid: "step",
  holdForReview: "step",
  markPending: "step",
  markRefused: "step",
  recordRefund: "step",
  addNote: "step",
  shopperUrl: "read",
  listUnsettled: "read",
};

export const PORTS = { ledger, service, store } as const;

export type PortName = keyof typeof PORTS;

export function isStep(port: PortName, method: string): boolean {
  return (PORTS[port] as Readonly<Record<string, string>>)[method] === "step";
}

/** As failpoints name them. */
export const STEP_METHODS: readonly string[] = (Object.keys(PORTS) as PortName[]).flatMap((port) =>
  Object.keys(PORTS[port])
    .filter((method) => isStep(port, method))
    .map((method) => `${port}.${method}`),
);
