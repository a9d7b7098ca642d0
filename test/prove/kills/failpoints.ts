import type { DatabaseName } from "./resources.ts";

/**
 * Every step of the write path at which a process is killed, before and after the step. `scenario`: the scenario that reaches it.
 *
 * A ledger's commit is named by its content. `checkFailpoints` runs all scenarios without a kill and fails when a step is
 * missing here or a listed step is never reached.
 */
export type Failpoint = { readonly name: string; readonly scenario: ScenarioName };

export type ScenarioName = keyof typeof BY_SCENARIO;

const BY_SCENARIO = {
  sale: [
    "ledger.commit started",
    "ledger.commit opened",
    "ledger.commit paid",
    "ledger.commit write noted",
    "ledger.commit recorded",
    "ledger.commit job finished",
    "ledger.commit cancelled",
    "ledger.commit attempt_failed",
    "ledger.commit header_differs",
    "ledger.receive",
    "ledger.claim",
    "ledger.lockOrder",
    "ledger.renewOrder",
    "ledger.unlockOrder",
    "service.openSession",
    "service.readSession",
    "store.findOrder",
    "store.markPaid",
  ],
  pending: ["ledger.commit acted", "store.markPending"],
  review: [
    "ledger.commit held",
    "ledger.commit write over",
    "ledger.commit accepted",
    "ledger.commit refund_requested",
    "ledger.commit refund_completed",
    "service.refund",
    "store.holdForReview",
    "store.recordRefund",
  ],
  twice: ["ledger.commit replaced", "ledger.commit duplicate", "store.addNote"],
  refunds: [
    "ledger.commit refund_pending",
    "ledger.commit refund_failed",
    "ledger.commit refund_unknown",
    "ledger.commit dispute_created",
    "service.readRefunds",
  ],
  faults: [
    "ledger.renewJobs",
    "ledger.commit store_unavailable",
    "ledger.commit store_unknown",
    "ledger.commit store_reconnect",
    "ledger.commit store_owner",
    "ledger.commit job left",
    "ledger.commit job retried",
    "ledger.commit job given up",
  ],
  time: [
    "store.markRefused",
    "ledger.commit check planned",
    "ledger.commit expired",
    "ledger.commit closed",
    "ledger.commit refused",
  ],
  disputes: [
    "ledger.commit dispute_updated",
    "ledger.commit dispute_closed",
    "ledger.commit dispute_decided",
    // Here they are about a refund over a dispute.
    "ledger.commit refund_requested",
    "service.refund",
  ],
  naming: ["ledger.commit transaction_named", "ledger.commit delivery unmatched"],
  restored: ["ledger.commit recovered", "ledger.commit refund_completed", "service.readSession", "service.readRefunds"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const SCENARIO_NAMES = Object.keys(BY_SCENARIO) as readonly ScenarioName[];

export const FAILPOINTS: readonly Failpoint[] = SCENARIO_NAMES.flatMap((scenario) =>
  BY_SCENARIO[scenario].map((name) => ({ name, scenario })),
);

/**
 * How often each step happens in the life of a shop without a kill. Processes die at each of these times, and `checkFailpoints` counts them.
 * What is read, and what the payments of the shops do, is not listed: it is killed in the other scenarios.
 */
export const SHOP_STEPS: Readonly<Record<string, number>> = {
  "shops.pair": 7,
  "shops.POST webhook": 4,
  "shops.PATCH webhook": 1,
  "shops.DELETE webhook": 1,
  "shops.put key": 10,
  "shops.remove key": 1,
  "shops.put woo-pairing": 7,
  "shops.remove woo-pairing": 1,
  "shops.put store-attempt": 12,
  "shops.remove store-attempt": 7,
  "shops.put store-invitation": 12,
  "shops.put store-address": 5,
  "shops.remove store-address": 2,
  "shops.put registered-store": 9,
  "shops.act": 8,
};

/** A ledger of one file can be copied and put back. */
export function isPossibleOn(database: DatabaseName, scenario: ScenarioName): boolean {
  return scenario !== "restored" || database === "sqlite";
}
