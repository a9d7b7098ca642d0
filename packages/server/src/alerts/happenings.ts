import { createHash } from "node:crypto";
import type { CircuitBreaker, Dispute, Ledger, Page, StoredJob } from "@tillkit/core";
import { failingWork } from "../failing-work.ts";
import { hostLimits } from "../limits.ts";

/**
 * Money held, orders paid twice, a dispute that opened, one whose time for evidence ends soon, events about payments that are
 * not in the ledger, work given up, work that keeps failing, a shop or the service that is down.
 */
export const ALERT_KINDS = [
  "held",
  "duplicate",
  "dispute",
  "dispute_due",
  "orphan",
  "parked",
  "failing",
  "down",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * The newest of each kind that are so now, as fingerprints; `whole`: these are all. `dueBy`: until when somebody can act, in
 * milliseconds since 1970, of those that have such a time.
 */
export type Happenings = Readonly<
  Record<
    AlertKind,
    {
      readonly keys: readonly string[];
      readonly whole: boolean;
      readonly dueBy?: Readonly<Record<string, number>>;
    }
  >
>;

export async function findHappenings(
  ledger: Ledger,
  down: readonly CircuitBreaker[],
  now: number,
): Promise<Happenings> {
  const limit = hostLimits.alertRows;
  const [held, duplicate, dispute, due, orphan, parked, failing] = await Promise.all([
    ledger.listPayments({ states: ["review"], limit }),
    ledger.listPayments({ states: ["duplicate"], limit }),
    ledger.listDisputes({ open: true, limit }),
    ledger.listDisputes({ open: true, dueBefore: now + hostLimits.disputeDueMs, limit }),
    ledger.listDeliveries({ outcome: "orphan", limit }),
    ledger.listJobs({ dead: true, limit }),
    failingWork(ledger),
  ]);
  const alone = failing.jobs.filter((job) => !isAboutOneOf(down, job));
  // Another difference of the same payment is news.
  const heldKeys = held.rows.map(({ id, finding }) => fingerprint("held", id, JSON.stringify(finding)));
  return {
    held: { keys: heldKeys, whole: held.next === null },
    duplicate: { keys: duplicate.rows.map(({ id }) => fingerprint("duplicate", id)), whole: duplicate.next === null },
    dispute: disputesOf(dispute, ({ id }) => fingerprint("dispute", id)),
    // A deadline that was put off and comes near again is news.
    dispute_due: disputesOf(due, ({ id, evidenceDueBy }) => fingerprint("dispute_due", id, String(evidenceDueBy))),
    orphan: {
      keys: orphan.rows.map(({ endpointId, digest }) => fingerprint("orphan", endpointId, digest)),
      whole: orphan.next === null,
    },
    parked: { keys: parked.rows.map(({ id }) => fingerprint("parked", id)), whole: parked.next === null },
    failing: { keys: alone.map(({ id }) => fingerprint("failing", id)), whole: failing.whole },
    down: { keys: down.map(({ target }) => fingerprint("down", target)), whole: true },
  };
}

/** What does not answer is told as one thing, and not once for each order that waits for it. */
function isAboutOneOf(down: readonly CircuitBreaker[], { storeId }: StoredJob): boolean {
  return down.some(({ target }) => !target.startsWith("store:") || target === `store:${storeId}`);
}

function disputesOf({ rows, next }: Page<Dispute>, keyOf: (dispute: Dispute) => string): Happenings[AlertKind] {
  const dueBy = rows.flatMap((dispute) =>
    dispute.evidenceDueBy === null ? [] : [[keyOf(dispute), dispute.evidenceDueBy]],
  );
  return { keys: rows.map(keyOf), whole: next === null, dueBy: Object.fromEntries(dueBy) };
}

function fingerprint(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}
