import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const PAYMENTS = "memory-ledger/payments";
const JOBS = "memory-ledger/jobs";
const LEDGER = "memory-ledger/memory-ledger";

/** What the ledger promises; and what no line may show. */
export const keeping: readonly Mutant[] = [
  mutant(
    "versions-unchecked",
    "Who writes last wins, whatever somebody else learned meanwhile.",
    PAYMENTS,
    `if (known !== expect) return "stale";`,
  ),
  mutant(
    "rules-dropped",
    "Two payments of one order may both be payable, and both count.",
    PAYMENTS,
    `return breaksUniqueRule(next) ? "taken" : null;`,
    "return breaksUniqueRule(next) ? null : null;",
  ),
  mutant(
    "lease-without-end",
    "Work that a dead process had taken is never done by another.",
    JOBS,
    "readyAt: request.now + request.leaseMs,",
    "readyAt: null,",
  ),
  mutant(
    "lock-without-end",
    "An order that a dead process was at is locked for ever.",
    "memory-ledger/order-locks",
    "if (lease?.held && lease.until > now) return null;",
    "if (lease?.held) return null;",
  ),
  mutant(
    "delivery-without-work",
    "A webhook is stored, and nobody ever looks at it.",
    LEDGER,
    "if (deliveries.addNew(row)) jobs.add(deliveryJob(row));",
    "deliveries.addNew(row);",
  ),
  mutant(
    "jobs-apart",
    "State and work are not committed together: work is lost on the way.",
    LEDGER,
    "change.jobs?.forEach(jobs.add);",
    "if (change.payment === undefined) change.jobs?.forEach(jobs.add);",
  ),
  mutant(
    "shopper-in-story",
    "A shopper's e-mail and phone stand in the story of the payment.",
    "deliveries/apply-payment-event",
    `const detail = safeText(event.transactionId ?? "");`,
    "const detail = JSON.stringify(event.data);",
  ),
  onlyBy(
    "packages/core/test/memory-ledger.test.ts",
    "an old holder cannot commit after a newer holder unlocked the order",
    mutant(
      "older-fence-commits",
      "A process that lost the order to another still writes down what it learned.",
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
      "A process that was late releases the order that another process is at: two write to the store.",
      "memory-ledger/order-locks",
      "if (lease?.fence === fence) set(",
      "if (lease) set(",
    ),
  ),
];
