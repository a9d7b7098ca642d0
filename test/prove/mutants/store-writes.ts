import { inPackage } from "./in-package.ts";
import { alsoBy, type Mutant, mutant, onlyBy } from "./mutant.ts";

const CONFIRM = "confirm/confirm-payment";
const CALLS = "stores/call-store";
const WRITE = "confirm/write-paid";
const UNDER_WAY = "packages/core/test/confirm/write-under-way.test.ts";
const inBridge = inPackage("php-bridge", "php");
const inModule = inPackage("prestashop", "module/tillkit");

/** Mutants of the write that marks an order paid, which must happen exactly once. */
export const storeWrites: readonly Mutant[] = [
  onlyBy(
    UNDER_WAY,
    "a write under way to a shop that refuses stale writes is still one after the next write was refused with 503",
    mutant(
      "refused-write-hides-unanswered-one",
      "A write that certainly failed hides that the one before it may still mark the order paid, and its payment is refunded.",
      WRITE,
      "return { storeWriteAt: unansweredSince, ...refused };",
      "return { storeWriteAt: null, ...refused };",
    ),
  ),
  onlyBy(
    UNDER_WAY,
    "a shop's answer that another payment paid the order is not final while an earlier request may still take effect",
    mutant(
      "answer-against-final",
      "A shop says that another payment paid the order, its earlier request marks the order paid after all, and the money is back.",
      WRITE,
      "const settlesAt = isAgainst ?",
      'const settlesAt = answer.outcome === "not-payable" ?',
    ),
  ),
  onlyBy(
    UNDER_WAY,
    "makes a payment count that its shop had refused, once the order shows it",
    mutant(
      "refusal-never-compared",
      "A request takes effect long after the shop had refused its payment, and ledger and order never agree again.",
      WRITE,
      "const compares = settlesAt === null ?",
      "const compares = settlesAt !== undefined ?",
    ),
  ),
  mutant(
    "settling-ignored",
    "A write whose answer was lost takes effect after a second write, so stock is taken twice.",
    CALLS,
    "storeWriteAt + limits.storeCallMs + workMs + limits.clockSkewMs",
    "storeWriteAt",
  ),
  mutant(
    "settling-cut-short",
    "The next write waits only for the store call's time limit and not until a lost write has settled.",
    CALLS,
    "storeWriteAt + limits.storeCallMs + workMs + limits.clockSkewMs",
    "storeWriteAt + limits.storeCallMs",
  ),
  mutant(
    "write-not-noted",
    "A process dies during a write, and the next process does not know of that write.",
    WRITE,
    "    storeWriteAt: now,\n    storeRetryAt",
    "    storeRetryAt",
  ),
  mutant(
    "lost-answer-is-unavailable",
    "A write that timed out counts as a write without effect and is repeated at once.",
    CALLS,
    `return code === "unavailable" || code === "reconnect" || code === "owner" ? code : "unknown";`,
    `return code === "reconnect" || code === "owner" ? code : "unavailable";`,
  ),
  mutant(
    "settling-not-checked",
    "The store is written although an earlier write may still take effect.",
    CONFIRM,
    "if (writableAt > verifiedAt && !verdict.isShown)",
    "if (writableAt > verifiedAt + 3_600_000 && !verdict.isShown)",
  ),
  mutant(
    "other-payment-is-fine",
    "The store answers that another payment paid the order, and the second payment counts as recorded.",
    WRITE,
    `if ("evidence" in answer) {`,
    `if (answer.outcome === "other-payment") answer = { outcome: "already", evidence: "read-back" };\n  if ("evidence" in answer) {`,
  ),
  mutant(
    "recorded-before-write",
    "The payment is recorded before the store is written: after a crash in between, the order is never marked paid.",
    CONFIRM,
    "const withIntent = (await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent(engine, store, payment, fence) : null;",
    `const early = { ...payment, state: "recorded" as const, nextCheckAt: null, version: payment.version + 1 };
  await engine.ledger.commit({ fence, payment: { next: early, expect: payment.version }, timeline: [] });
  const withIntent = (await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent(engine, store, early, fence) : null;`,
  ),
  mutant(
    "refused-write-not-reported",
    "The store refuses the write, and the owner is not informed.",
    WRITE,
    "jobs: [...holdJobs(engine, payment, finding, now), ",
    "jobs: [",
  ),
  mutant(
    "finding-not-reported",
    "A payment with a finding arrived, and the owner is not informed.",
    "verify/apply-verdict",
    "[...holdJobs(engine, next, verdict.finding, now), ",
    "[",
  ),
  mutant(
    "duplicate-not-reported",
    "An order was paid twice, and the owner is not informed of the second payment.",
    "verify/apply-verdict",
    "return [...duplicateJobs(engine, next, now), ...compareJobs(next, now)];",
    "return compareJobs(next, now);",
  ),
  onlyBy(
    "packages/core/test/jobs/member-writes.test.ts",
    "a refund whose first write was lost is written again only when the first can no longer take effect",
    mutant(
      "member-class-ignored",
      "A shop that refuses a second payment and no second refund shows one refund twice.",
      CALLS,
      'return (member === "markPaid" ? undefined : memberWrites?.[member]) ?? writes;',
      "return memberWrites?.holdForReview ?? writes;",
    ),
  ),
  onlyBy(
    "packages/core/test/jobs/note-writes.test.ts",
    "a note that was written hides no write of the payment that may still take effect",
    mutant(
      "note-ends-every-write",
      "A note hides that the order may still be marked paid, so its payment is refunded and the order ships.",
      "jobs/write-under-lease",
      "isUnderWay ? before.storeWriteAt : null",
      "null",
    ),
  ),
  onlyBy(
    "packages/core/test/jobs/note-writes.test.ts",
    "is not written while another worker writes to the order",
    mutant(
      "note-beside-the-lease",
      "A worker that slept writes a note that another worker has written meanwhile, and the order shows it twice.",
      "jobs/write-under-lease",
      'return await writeUnderLease(engine, payment, "addNote", stillApplies, async (_store, { ref }) =>\n    store.addNote?.(ref, key, text),\n  );',
      'void stillApplies;\n  await store.addNote?.(payment.ref, key, text);\n  return "done";',
    ),
  ),
  onlyBy(
    "packages/core/test/jobs/member-writes.test.ts",
    "the order is not marked paid either while a lost write of a refund may still take effect",
    mutant(
      "other-member-under-way",
      "A late request of another member changes the order after a write that took no notice of it.",
      CALLS,
      "const members = [member, ...(await membersUnderWay(engine, store, payment))];",
      "const members = [member];",
    ),
  ),
  onlyBy(
    "packages/core/test/stores/order-lease.test.ts",
    "an order is not marked paid while a lost write of an unpaid payment of the order may still take effect",
    mutant(
      "sibling-write-ignored",
      "A late write of another payment of the order takes effect after this write, so stock is taken twice.",
      CONFIRM,
      "await paymentsOfLeasedOrder(engine, store, fence)",
      "(await paymentsOfLeasedOrder(engine, store, fence)).filter(({ id }) => id === before.id)",
    ),
  ),
  onlyBy(
    "packages/core/test/confirm/write-paid.test.ts",
    "no process writes to a store after a crash during a write until the write has settled",
    mutant(
      "clock-skew-ignored",
      "The earlier process had a fast clock, and its write takes effect after ours.",
      CALLS,
      " + workMs + limits.clockSkewMs",
      " + workMs",
    ),
  ),
  onlyBy(
    "packages/core/test/stores/order-lease.test.ts",
    "a process that was delayed after it leased an order renews the lease before it writes to the store",
    mutant(
      "lease-not-renewed",
      "A process that slept until its lease of the order expired writes at the same time as the new holder.",
      CONFIRM,
      "(await renewOrderLease(engine, fence)) ? await commitPaidWriteIntent",
      "before.id ? await commitPaidWriteIntent",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "is not followed by an automatic refund when the owner cancels meanwhile, and the order that it pays is recorded",
    mutant(
      "under-way-judged",
      "A payment is refunded because its order was read too early, and our write then marks that order as paid.",
      "domain/judge",
      `return isSettling ? { status: "settling", until } : verdict;`,
      "return verdict;",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "holds back the owner's own refund until it has settled",
    mutant(
      "under-way-refunded",
      "An owner refunds a payment, and a write that is still under way marks its order as paid.",
      "refunds/refund-payment",
      "await assertWriteSettled(engine, payment);",
    ),
  ),
  alsoBy(
    UNDER_WAY,
    "is found: the order shows a payment whose money went back, and a person is told which order and why",
    mutant(
      "never-compared",
      "A write that took effect after every bound of time marks a refunded order as paid, and nobody is told.",
      "payments/payment-jobs",
      "return payment.storeTries === 0 ? [] : [job];",
      "return payment.storeTries >= 0 ? [] : [job];",
    ),
  ),
  onlyBy(
    "packages/core/test/confirm/write-under-way.test.ts",
    "a refund that a shop still writes into an order is not written again, although the order shows the payment by now",
    mutant(
      "refund-under-way-forgotten",
      "The order shows its payment while a shop still works on the row of its refund: the row is written twice.",
      "confirm/write-paid",
      "return engine.clock.now() < settlesAt ? storeWriteAt : null;",
      "return engine.clock.now() < settlesAt ? null : null;",
    ),
  ),
  inBridge({
    id: "php-refund-without-lock",
    breaks: "A second click during a freeze of two minutes sends the refund again under a key of its own.",
    file: "refunds/send-refund.php",
    find: `	tillkit_assert_lock( tillkit_refund_lock( $order->id() ) );
`,
    test: "shop-end",
    title: "A refund that has lost its lock sends no money and forgets no other refund",
  }),
  inBridge({
    id: "php-refund-forgotten-without-lock",
    breaks: "The key of a refund in doubt is forgotten, and the next click sends its money again.",
    file: "refunds/unconfirmed-refund.php",
    find: `			tillkit_assert_lock( tillkit_refund_lock( $order_id ) );
`,
    test: "shop-end",
    title: "A refund that has lost its lock sends no money and forgets no other refund",
  }),
  inModule({
    id: "prestashop-state-without-lock",
    breaks:
      "A slow module loses the lock, and an order is set to paid twice: two e-mails and two entries of its history.",
    file: "orders/status-hook.php",
    find: `		tillkit_assert_lock( $order->id() );
`,
    test: "module",
    title:
      "A payment that loses the lock in the slow hook of another module, while another call records it, changes nothing",
  }),
  inModule({
    id: "prestashop-row-without-lock",
    breaks: "A call that lost its lock adds a payment row beside that of the call after it.",
    file: "orders/mark-paid.php",
    find: `			tillkit_assert_lock( $order->id() );
`,
    test: "module",
    title: "A payment and a refund whose lock the database has freed write nothing",
  }),
  inModule({
    id: "prestashop-refund-without-lock",
    breaks: "A call that lost its lock records a refund beside the call after it.",
    file: "orders/record-refund.php",
    find: `	tillkit_assert_lock( $order->id() );
`,
    test: "module",
    title: "A payment and a refund whose lock the database has freed write nothing",
  }),
];
