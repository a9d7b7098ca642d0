import { type Mutant, mutant, onlyBy } from "./mutant.ts";

const CONFIRM = "confirm/confirm-payment";
const CALLS = "stores/call-store";
const WRITE = "confirm/write-paid";

/** How the store is told that money arrived, exactly once. */
export const telling: readonly Mutant[] = [
  mutant(
    "settling-ignored",
    "A write whose answer was lost lands late, after another one: stock is taken twice.",
    CALLS,
    "storeWriteAt + limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs",
    "storeWriteAt",
  ),
  mutant(
    "settling-cut-short",
    "The next writer waits as long as the store calls run, not as long as the platform's requests live.",
    CALLS,
    "storeWriteAt + limits.storeCallMs + writes.settleAfterMs + limits.clockSkewMs",
    "storeWriteAt + limits.storeCallMs",
  ),
  mutant(
    "write-not-noted",
    "A process dies in the middle of a write, and nobody knows that it was under way.",
    WRITE,
    "    storeWriteAt: now,\n    storeRetryAt",
    "    storeRetryAt",
  ),
  mutant(
    "lost-answer-is-a-no",
    "A write that timed out counts as one that did not happen, and is repeated at once.",
    CALLS,
    `return code === "unavailable" || code === "reconnect" ? code : "unknown";`,
    `return code === "reconnect" ? code : "unavailable";`,
  ),
  mutant(
    "settling-unasked",
    "The store is written although an earlier write may still be under way.",
    CONFIRM,
    "if (writableAt > verifiedAt) return",
    "if (writableAt > verifiedAt + 3_600_000) return",
  ),
  mutant(
    "other-payment-is-fine",
    "The store says that another payment was first, and the second one counts as recorded.",
    WRITE,
    `if ("evidence" in answer) {`,
    `if (answer.outcome === "other-payment") answer = { outcome: "already", evidence: "read-back" };\n  if ("evidence" in answer) {`,
  ),
  mutant(
    "recorded-before-told",
    "The payment is recorded first and the store told afterwards: a crash between the two loses the order.",
    CONFIRM,
    "const marked = (await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent(engine, store, payment, fence) : null;",
    `const early = { ...payment, state: "recorded" as const, nextCheckAt: null, version: payment.version + 1 };
  await engine.ledger.commit({ fence, payment: { next: early, expect: payment.version }, timeline: [] });
  const marked = (await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent(engine, store, early, fence) : null;`,
  ),
  mutant(
    "order-gone-unsaid",
    "The store refuses, and the owner is never shown why.",
    WRITE,
    "jobs: [...holdJobs(engine, payment, finding, now), ",
    "jobs: [",
  ),
  mutant(
    "difference-unsaid",
    "Money arrived with a difference, and the owner is never shown it.",
    "verify/apply-verdict",
    "[...holdJobs(engine, next, verdict.finding, now), ",
    "[",
  ),
  mutant(
    "duplicate-unsaid",
    "An order was paid twice, and the owner never hears of the second payment.",
    "verify/apply-verdict",
    `if (verdict.status === "duplicate") return duplicateJobs(engine, next, now);`,
  ),
  onlyBy(
    "packages/core/test/stores/order-lease.test.ts",
    "a store is not written while a lost write of another payment of the same order may still take effect",
    mutant(
      "sibling-write-ignored",
      "A late write of another payment of the order lands after this one: stock is taken twice.",
      CONFIRM,
      "earliestWriteAt(store, await engine.ledger.paymentsOfOrder(fence.ref))",
      "earliestWriteAt(store, (await engine.ledger.paymentsOfOrder(fence.ref)).filter(({ id }) => id === paymentId))",
    ),
  ),
  onlyBy(
    "packages/core/test/confirm/write-paid.test.ts",
    "no process writes to a store after a crash during a write until the write has settled",
    mutant(
      "clock-skew-ignored",
      "The writer before had a clock that is ahead of ours, and its write lands after ours.",
      CALLS,
      " + writes.settleAfterMs + limits.clockSkewMs",
      " + writes.settleAfterMs",
    ),
  ),
  onlyBy(
    "packages/core/test/stores/order-lease.test.ts",
    "a process that was delayed after it leased an order renews the lease before it writes to the store",
    mutant(
      "lease-not-renewed",
      "A process slept longer than its lease of the order and writes beside the one that holds it now.",
      CONFIRM,
      "(await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent",
      "paymentId ? await commitPaidWriteIntent",
    ),
  ),
];
