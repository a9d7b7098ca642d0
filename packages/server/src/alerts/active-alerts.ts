import { createHash } from "node:crypto";
import { type CircuitBreaker, type Dispute, findingKey, type Ledger, type Page, type StoredJob } from "@tillkit/core";
import { findFailingJobs } from "../attention/failing-jobs.ts";
import {
  findUnbalancedPayments,
  type UnbalancedPayment,
  type UnbalancedPayments,
} from "../attention/unbalanced-payments.ts";
import { serverLimits } from "../limits.ts";

/**
 * Held payments, duplicate payments, opened disputes, disputes whose deadline for evidence is near, payments from which more money
 * left than arrived, sessions that received more than one transaction, refunds whose transaction a person must name, events about
 * payments that are not in the ledger, dead-letter jobs, jobs that keep failing, kinds of jobs that no process claims, a store or the
 * service that does not answer, and warnings of the host.
 */
export const ALERT_KINDS = [
  "held",
  "duplicate",
  "dispute",
  "dispute_due",
  "shortfall",
  "surplus",
  "transaction_unknown",
  "orphan",
  "dead_letter",
  "failing",
  "unclaimed",
  "outage",
  "warning",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The newest alerts of one kind as fingerprints. `isComplete`: no older alerts of this kind are left out. */
type Alerts = {
  readonly keys: readonly string[];
  readonly isComplete: boolean;
  /** Deadlines for evidence by fingerprint, in milliseconds since 1970; alerts without a deadline are left out. */
  readonly dueBy?: Readonly<Record<string, number>>;
};

export type ActiveAlerts = Readonly<Record<AlertKind, Alerts>>;

export async function findActiveAlerts(
  ledger: Ledger,
  openBreakers: readonly CircuitBreaker[],
  now: number,
  warnings: readonly string[] = [],
): Promise<ActiveAlerts> {
  const limit = serverLimits.maxAlertRows;
  const [held, duplicate, dispute, due, unbalanced, orphan, dead, failing, unclaimed] = await Promise.all([
    ledger.listPayments({ states: ["review"], limit }),
    ledger.listPayments({ states: ["duplicate"], limit }),
    ledger.listDisputes({ open: true, limit }),
    ledger.listDisputes({ open: true, dueBefore: now + serverLimits.disputeWarningMs, limit }),
    findUnbalancedPayments(ledger),
    ledger.listDeliveries({ outcome: "orphan", limit }),
    ledger.listJobs({ dead: true, limit }),
    findFailingJobs(ledger),
    ledger.listJobs({ readyBefore: now - serverLimits.unclaimedAfterMs, limit }),
  ]);
  const unnamed = [...dead.rows, ...failing.jobs].filter(needsTransaction);
  const otherFailing = failing.jobs.filter((job) => !isPartOfOutage(openBreakers, job) && !needsTransaction(job));
  return {
    // A held payment whose difference changed is a new alert.
    held: alertsOf(held, ({ id, finding }) => fingerprint("held", id, finding === null ? "" : findingKey(finding))),
    duplicate: alertsOf(duplicate, ({ id }) => fingerprint("duplicate", id)),
    dispute: disputeAlerts(dispute, ({ id }) => fingerprint("dispute", id)),
    // A deadline that was extended and comes near again is a new alert.
    dispute_due: disputeAlerts(due, ({ id, evidenceDueBy }) => fingerprint("dispute_due", id, String(evidenceDueBy))),
    // A shortfall that grew is a new alert, as is another transaction of the same session.
    shortfall: unbalancedAlerts(unbalanced, "shortfall"),
    surplus: unbalancedAlerts(unbalanced, "surplus"),
    transaction_unknown: {
      keys: [...new Set(unnamed.map(({ paymentId }) => fingerprint("transaction_unknown", paymentId ?? "")))],
      isComplete: dead.next === null && failing.isComplete,
    },
    orphan: alertsOf(orphan, ({ endpointId, digest }) => fingerprint("orphan", endpointId, digest)),
    dead_letter: alertsOf({ ...dead, rows: dead.rows.filter((job) => !needsTransaction(job)) }, ({ id }) =>
      fingerprint("dead_letter", id),
    ),
    failing: { keys: otherFailing.map(({ id }) => fingerprint("failing", id)), isComplete: failing.isComplete },
    // One alert for each kind: all of them wait for a process that knows the kind, or for any process at all.
    unclaimed: {
      keys: [...new Set(unclaimed.rows.map(({ kind }) => fingerprint("unclaimed", kind)))],
      isComplete: unclaimed.next === null,
    },
    outage: { keys: openBreakers.map(({ target }) => fingerprint("outage", target)), isComplete: true },
    warning: { keys: warnings.map((warning) => fingerprint("warning", warning)), isComplete: true },
  };
}

/** An outage is one alert, and the jobs that fail because of it add no alerts. An outage of the service affects all stores. */
function isPartOfOutage(openBreakers: readonly CircuitBreaker[], { storeId }: StoredJob): boolean {
  return openBreakers.some(({ target }) => !target.startsWith("store:") || target === `store:${storeId}`);
}

/** Whether a refund waits for the person who names the transaction that paid. */
function needsTransaction({ error }: StoredJob): boolean {
  return error?.code === "transaction_unknown";
}

function unbalancedAlerts({ rows, isComplete }: UnbalancedPayments, kind: UnbalancedPayment["kind"]): Alerts {
  return { keys: rows.filter((row) => row.kind === kind).map(unbalancedKey), isComplete };
}

function unbalancedKey(row: UnbalancedPayment): string {
  const { id } = row.payment;
  if (row.kind === "shortfall") return fingerprint(row.kind, id, String(row.equation.available.minor));
  return fingerprint(row.kind, id, ...row.equations.map(({ transactionId }) => transactionId ?? ""));
}

function alertsOf<Row>({ rows, next }: Page<Row>, keyOf: (row: Row) => string): Alerts {
  return { keys: rows.map(keyOf), isComplete: next === null };
}

function disputeAlerts(page: Page<Dispute>, keyOf: (dispute: Dispute) => string): Alerts {
  const dueTimes = page.rows.flatMap((dispute) =>
    dispute.evidenceDueBy === null ? [] : [[keyOf(dispute), dispute.evidenceDueBy]],
  );
  return { ...alertsOf(page, keyOf), dueBy: Object.fromEntries(dueTimes) };
}

function fingerprint(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}
