import type { Ledger, StoreAdapter } from "@tillkit/core";
import type { Service } from "@tillkit/core/hosts";

/**
 * Every method of the engine's ports. `step`: the method changes something or waits for an answer, so processes are killed
 * before and after it. `read`: a kill there equals a kill after the previous step. `aside`: the method is not part of a payment.
 * The types require that every new method is classified here, and `checkFailpoints` that every step has its failpoint.
 */
type MethodKinds<Port> = { readonly [Method in keyof Port]-?: "step" | "read" | "aside" };

const ledger: MethodKinds<Omit<Ledger, "records" | "secrets" | "credentials">> = {
  commit: "step",
  receive: "step",
  claim: "step",
  renewJobs: "step",
  lockOrder: "step",
  unlockOrder: "step",
  renewOrder: "step",
  find: "read",
  paymentsOfOrder: "read",
  transactions: "read",
  refunds: "read",
  disputes: "read",
  markHistory: "read",
  unmatchedDeliveries: "read",
  timeline: "read",
  delivery: "read",
  openPayments: "read",
  nextDueAt: "read",
  jobByKey: "read",
  onNewJobs: "read",
  currentTime: "read",
  condition: "read",
  countPayments: "read",
  listPayments: "read",
  countJobs: "read",
  listJobs: "read",
  countDeliveries: "read",
  listDeliveries: "read",
  countDisputes: "read",
  listDisputes: "read",
  transactionDetails: "read",
  paymentsWithMovements: "read",
  paymentsOfSeveralTransactions: "read",
  listRefunds: "read",
  paymentStatistics: "read",
  listActs: "read",
  recordAct: "aside",
  exportOrder: "read",
  prune: "aside",
  archive: "aside",
  eraseOrders: "aside",
  eraseStore: "aside",
  forgetJobs: "aside",
  spend: "aside",
  close: "aside",
};

const service: MethodKinds<Service> = {
  openSession: "step",
  readSession: "step",
  refund: "step",
  readRefunds: "step",
  readTransaction: "read",
  listTransactions: "read",
  listDeliveredEvents: "read",
  readEndpoint: "read",
  testEndpoint: "aside",
  tryKey: "aside",
};

const store: MethodKinds<
  Omit<StoreAdapter, "platform" | "name" | "branding" | "writes" | "memberWrites" | "retryScheduleMs" | "adminUrl">
> = {
  findOrder: "step",
  markPaid: "step",
  holdForReview: "step",
  markPending: "step",
  markRefused: "step",
  recordRefund: "step",
  addNote: "step",
  assertReachable: "read",
  shopperUrl: "read",
  listUnsettled: "read",
};

export const PORTS = { ledger, service, store } as const;

export type PortName = keyof typeof PORTS;

export function isStep(port: PortName, method: string): boolean {
  return (PORTS[port] as Readonly<Record<string, string>>)[method] === "step";
}

/** The steps under the names that failpoints use. */
export const STEP_METHODS: readonly string[] = (Object.keys(PORTS) as PortName[]).flatMap((port) =>
  Object.keys(PORTS[port])
    .filter((method) => isStep(port, method))
    .map((method) => `${port}.${method}`),
);

/** The rows by which a shop connects, changes and leaves. Servers keep rows of other kinds too, which are not steps. */
const SHOP_ROWS: ReadonlySet<unknown> = new Set([
  "registered-store",
  "store-address",
  "store-attempt",
  "store-invitation",
  "woo-pairing",
]);

/** The name of a step in the life of a shop, or null for another call. `part`: records, secrets or credentials of the ledger. */
export function shopStep(part: string, method: string, kind: unknown): string | null {
  if (method !== "put" && method !== "remove") return null;
  if (part === "credentials") return `shops.${method} key`;
  return SHOP_ROWS.has(kind) ? `shops.${method} ${kind}` : null;
}

/** The same for a request whose effect is at the shop or at the service. */
export function shopRequest(method: string, path: string): string | null {
  if (/tillkit(?:\/|%2F)v1(?:\/|%2F)pair$/.test(path)) return "shops.pair";
  const isChange = method !== "GET" && /\/webhooks(?:\/[^/]+)?$/.test(path);
  return isChange ? `shops.${method} webhook` : null;
}
