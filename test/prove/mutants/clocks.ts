import { inPackage } from "./in-package.ts";
import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const inLedger = inPackage("ledger");
const CORRECTED = "packages/core/test/jobs/corrected-clock.test.ts";
const MEMORY = "packages/core/test/memory-ledger.test.ts";

const AFTER_KILL =
  "an order that was started by the wrong clock is paid within ten minutes after a kill, without a webhook";
const JOB_LEASE = "a job lease that a clock 80 hours ahead has given lasts a whole lease from now, and no longer";
const ORDER_LEASE = "an order lease that a clock 80 hours ahead has given lasts a whole lease from now, and no longer";
const NEXT_CHECK =
  "the next check of an open session comes within nine minutes, however far a clock was ahead that scheduled it";

/** Faults after a clock that was ahead is set back, and beside a newer version that shares the ledger. */
export const clocks: readonly Mutant[] = [
  alsoBy(
    CORRECTED,
    AFTER_KILL,
    mutant(
      "session-of-future-unread",
      "A session that was opened while the clock was days ahead is never read, so its order stays unpaid.",
      "sessions/open-session",
      "nextCheck(opened, now) ?? now + limits.maxCheckGapMs",
      "nextCheck(opened, now)",
    ),
  ),
  onlyBy(
    "packages/core/test/domain/limits.test.ts",
    "a payment that a clock a hundred days ahead has dated is read every three days until its date",
    mutant(
      "payment-of-future-unread",
      "A payment that a clock months ahead has dated is read by no timer for months, once its session is over.",
      "domain/limits",
      "Math.min(planned, now + limits.graceMs)",
      "planned",
    ),
  ),
  alsoBy(
    MEMORY,
    NEXT_CHECK,
    mutant(
      "check-of-future-kept",
      "After the clock was set back, an open session is read only when the true time has reached the wrong one.",
      "domain/limits",
      "(nextCheck(payment, now) ?? unreadableAt)",
      "now + limits.graceMs + limits.unreadableMs",
    ),
  ),
  alsoBy(
    CORRECTED,
    "an order whose write was cut off by a kill is paid within ten minutes, in a store with writes of 'read-then-write'",
    mutant(
      "write-of-future-awaited",
      "A write that a clock ahead has recorded blocks its order until the true time has reached the wrong one.",
      "confirm/confirm-payment",
      " && writeAt <= now + limits.clockSkewMs",
    ),
  ),
  onlyBy(
    MEMORY,
    ORDER_LEASE,
    mutant(
      "order-lease-of-future-ends-now",
      "An order whose holder still writes is given to a second process after the clock was set back.",
      "memory-ledger/order-locks",
      "set(ref, { ...lease, until: latest })",
      "set(ref, { ...lease, until: now })",
    ),
  ),
  onlyBy(
    CORRECTED,
    "the same process pays the order within ten minutes, although its circuit breaker opened while the clock was wrong",
    mutant(
      "breaker-of-future-stays-open",
      "A circuit breaker stays open until the true time has reached the wrong one, so no order is paid.",
      "resilience/circuit-breakers",
      "state.openUntil = Math.min(state.openUntil, now + longestMs);",
      "state.openUntil = Math.max(state.openUntil, Math.min(0, longestMs));",
    ),
  ),
  inLedger({
    id: "sql-job-lease-of-future-kept",
    breaks: "A job that a killed process held stays leased until the true time has reached the wrong one.",
    file: "jobs/shorten-waits.ts",
    find: "wasSetBack ? 0 : seenIds[0]",
    replace: "seenIds[0]",
    test: "contract",
    title: JOB_LEASE,
  }),
  inLedger({
    id: "sql-set-back-clock-unseen",
    breaks: "A process that runs while its clock is set back leaves all leases of the future as they are.",
    file: "jobs/shorten-waits.ts",
    find: "const wasSetBack = now < lastNow - limits.clockSkewMs;",
    replace: "const wasSetBack = lastNow === Number.POSITIVE_INFINITY;",
    test: "contract",
    title: JOB_LEASE,
  }),
  inLedger({
    id: "sql-host-wait-of-future-kept",
    breaks: "A refund that Shopify requested while the clock was ahead is paid only when the true time arrives there.",
    file: "jobs/shorten-waits.ts",
    find: "if (isHostJobKind(kind)) return now + job.waitMs;",
    replace: "if (isHostJobKind(kind)) return job.readyAt;",
    test: "contract",
    title: "a job of a host that a clock ahead of time scheduled waits as long as it was to wait",
  }),
  inLedger({
    id: "sql-order-lease-extended",
    breaks:
      "Each process that asks for a locked order extends its lease, so a killed process keeps the order for ever.",
    file: "payments/order-locks.ts",
    find: `
    .where("leased_until", ">", latest)`,
    test: "contract",
    title: "an order's lease belongs to one worker until it expires",
  }),
  inLedger({
    id: "sql-order-lease-of-future-kept",
    breaks: "An order that a killed process held stays locked until the true time has reached the wrong one.",
    file: "payments/order-locks.ts",
    find: "  if (granted === undefined) await shortenLease(session, ref, lease);\n",
    test: "contract",
    title: ORDER_LEASE,
  }),
  inLedger({
    id: "sql-budget-of-future-kept",
    breaks: "A key whose calls a clock ahead has used up makes no call for days, so no order is paid.",
    file: "call-budgets.ts",
    find: "      await transaction((session) => moveToCurrentWindow(session, request));\n",
    test: "contract",
    title: "a window that a clock ahead has used up refuses calls for its own length, and no longer",
  }),
  {
    ...inLedger({
      id: "sql-unknown-kind-claimed",
      breaks: "A process of an older version takes the jobs of a newer version, and they are never done.",
      file: "jobs/claim-jobs.ts",
      find: `    .where("ready_at", "<=", now)
    .where(isClaimable(hostKinds))`,
      replace: `    .where("ready_at", "<=", now)`,
      test: "contract",
      title:
        "a job of a kind that this version does not know is never claimed, and stays as it was for a newer version",
    }),
    violatesInvariant: true,
  },
  {
    ...inLedger({
      id: "sql-unknown-kind-wakes",
      breaks: "A due job of a newer version keeps every worker of an older version busy without work.",
      file: "jobs/jobs.ts",
      find: `
    .where(isClaimable(hostKinds))`,
      test: "contract",
      title: "nextDueAt passes over jobs of unknown kinds, so that no worker wakes up for them again and again",
    }),
    violatesInvariant: true,
  },
  alsoBy(
    MEMORY,
    "10,000 due jobs of an unknown kind delay no other job, in their own store and in any other",
    mutant(
      "unknown-kind-queued",
      "Jobs of a newer version stand before all other jobs of their store, which are then never done.",
      "memory-ledger/job-table",
      "return isKnownJobKind(job.kind) ? ofPayments : null;",
      "return job.kind.length > 0 ? ofPayments : null;",
    ),
  ),
  onlyBy(
    "packages/server/test/refusing-shops.test.ts",
    "a shop that began to refuse us while the clock was a month ahead is alerted after the clock was set back",
    mutant(
      "refusal-of-future-kept",
      "A shop that refuses us is alerted to nobody until the true time has reached the wrong one.",
      "resilience/store-blocks",
      "since: Math.min(since, now),\n          endedAt",
      "since,\n          endedAt",
    ),
  ),
];
