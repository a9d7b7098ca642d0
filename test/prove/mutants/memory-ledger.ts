import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const PAYMENTS = "memory-ledger/payments";
const JOBS = "memory-ledger/jobs";
const LEDGER = "memory-ledger/memory-ledger";

/** Mutants of the memory ledger, and of the rule that no timeline shows personal data. */
export const memoryLedger: readonly Mutant[] = [
  mutant(
    "versions-unchecked",
    "A later write overwrites what another process has recorded meanwhile.",
    PAYMENTS,
    `if (known !== expect) return "stale";`,
  ),
  mutant(
    "rules-dropped",
    "Two payments of one order are both payable, and both count.",
    PAYMENTS,
    `return breaksUniqueRule(next) ? "taken" : null;`,
    "return breaksUniqueRule(next) ? null : null;",
  ),
  mutant(
    "lease-without-end",
    "A job that a dead process had claimed is never done by another process.",
    JOBS,
    "readyAt: request.now + request.leaseMs,",
    "readyAt: null,",
  ),
  mutant(
    "lock-without-end",
    "An order that a dead process had locked stays locked forever.",
    "memory-ledger/order-locks",
    "if (lease?.isHeld && lease.until > now) {",
    "if (lease?.isHeld) {",
  ),
  mutant(
    "delivery-without-work",
    "A webhook is stored and never processed.",
    LEDGER,
    "if (deliveries.addNew(row)) jobs.add(deliveryJob(row, row.receivedAt));",
    "deliveries.addNew(row);",
  ),
  mutant(
    "jobs-apart",
    "A payment's state is committed without its jobs, so the jobs are lost.",
    "memory-ledger/commit-change",
    "change.jobs?.forEach(jobs.add);",
    "if (change.payment === undefined) change.jobs?.forEach(jobs.add);",
  ),
  mutant(
    "shopper-in-timeline",
    "The timeline of a payment shows the shopper's email address and phone number.",
    "deliveries/apply-payment-event",
    `actor: "shopper", kind: "acted", transactionId }`,
    `actor: "shopper", kind: "acted", transactionId: JSON.stringify(event.data) }`,
  ),
  onlyBy(
    "packages/core/test/memory-ledger.test.ts",
    "an old holder cannot commit after a newer holder unlocked the order",
    mutant(
      "older-fence-commits",
      "A process that lost an order's lease to another process still commits.",
      "memory-ledger/order-locks",
      "leaseOf(ref)?.fence === fence",
      "(leaseOf(ref)?.fence ?? 0) >= fence",
    ),
  ),
  onlyBy(
    "packages/core/test/memory-ledger.test.ts",
    "a late unlock does not release the lock of a newer holder",
    mutant(
      "lock-of-another-released",
      "A late process releases another process's lock of the order, so two processes write to the store.",
      "memory-ledger/order-locks",
      "if (lease?.fence === fence) set(",
      "if (lease) set(",
    ),
  ),
];
