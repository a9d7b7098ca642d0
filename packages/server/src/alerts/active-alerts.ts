import { createHash } from "node:crypto";
import { type Dispute, findingKey, type Ledger } from "@tillkit/core";
import { type CircuitBreaker, listStoreBlocks, type StoreBlockOf } from "@tillkit/core/hosts";
import type { Page, StoredJob } from "@tillkit/core/ledger";
import { findFailingJobs } from "../attention/failing-jobs.ts";
import {
  findUnbalancedPayments,
  type UnbalancedPayment,
  type UnbalancedPayments,
} from "../attention/unbalanced-payments.ts";
import { type Warning, warningKey } from "../attention/warnings.ts";
import { serverLimits } from "../limits.ts";

/**
 * Held payments, duplicate payments, opened disputes, disputes whose deadline for evidence is near, payments from which more money
 * left than arrived, sessions that received more than one transaction, refunds whose transaction a person must name, events about
 * payments that are not in the ledger, dead-letter jobs, jobs that keep failing, kinds of jobs that no process claims, a store or the
 * service that does not answer, stores that refuse us (`refusing`) or answer again (`answering`), and warnings of this server and its host.
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
  "refusing",
  "answering",
  "warning",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** The newest alerts of one kind as fingerprints. `isComplete`: no older alerts of this kind are left out. */
type Alerts = {
  readonly keys: readonly string[];
  readonly isComplete: boolean;
  /** Deadlines for evidence by fingerprint, in milliseconds since 1970; alerts without a deadline are left out. */
  readonly dueBy?: Readonly<Record<string, number>>;
  /** The alert whose end this alert reports, by fingerprint: without the first there is no second. */
  readonly endOf?: Readonly<Record<string, string>>;
};

export type ActiveAlerts = Readonly<Record<AlertKind, Alerts>>;

export async function findActiveAlerts(
  ledger: Ledger,
  openBreakers: readonly CircuitBreaker[],
  now: number,
  warnings: readonly Warning[] = [],
): Promise<ActiveAlerts> {
  const limit = serverLimits.maxAlertRows;
  const blocksOf = { now, endedSince: now - serverLimits.refusalReminderMs };
  const [held, duplicate, dispute, due, unbalanced, orphan, dead, failing, unclaimed, blocks] = await Promise.all([
    ledger.listPayments({ states: ["review"], limit }),
    ledger.listPayments({ states: ["duplicate"], limit }),
    ledger.listDisputes({ open: true, limit }),
    ledger.listDisputes({ open: true, dueBefore: now + serverLimits.disputeWarningMs, limit }),
    findUnbalancedPayments(ledger),
    ledger.listDeliveries({ outcome: "orphan", limit }),
    ledger.listJobs({ dead: true, limit }),
    findFailingJobs(ledger),
    ledger.listJobs({ readyBefore: now - serverLimits.unclaimedAfterMs, limit }),
    listStoreBlocks(ledger.records, blocksOf),
  ]);
  const unnamed = [...dead.rows, ...failing.jobs].filter(needsTransaction);
  const refusing = blocks.filter(
    ({ since, endedAt }) => endedAt === null && now - since >= serverLimits.refusalAlertMs,
  );
  const isRefused = ({ storeId }: StoredJob) => refusing.some((block) => block.storeId === storeId);
  const otherFailing = failing.jobs.filter(
    (job) => !isPartOfOutage(openBreakers, job) && !isRefused(job) && !needsTransaction(job),
  );
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
    refusing: { keys: refusing.map(refusalKey), isComplete: true },
    answering: endsOf(blocks.filter(({ endedAt }) => endedAt !== null)),
    // The owner of a shop may mean to begin with a test key.
    warning: {
      keys: warnings
        .filter(({ code }) => code !== "test_key")
        .map((warning) => fingerprint("warning", ...warningKey(warning))),
      isComplete: true,
    },
  };
}

/** An outage is one alert, and the jobs that fail because of it add no alerts. An outage of the service affects all stores. */
function isPartOfOutage(openBreakers: readonly CircuitBreaker[], { storeId }: StoredJob): boolean {
  return openBreakers.some(({ target }) => !target.startsWith("store:") || target === `store:${storeId}`);
}

function refusalKey({ storeId, since }: StoreBlockOf): string {
  return fingerprint("refusing", storeId, String(since));
}

function endsOf(ended: readonly StoreBlockOf[]): Alerts {
  const endOf = Object.fromEntries(
    ended.map((block) => [fingerprint("answering", block.storeId, String(block.since)), refusalKey(block)]),
  );
  return { keys: Object.keys(endOf), isComplete: true, endOf };
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
