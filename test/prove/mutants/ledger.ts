import { type Mutant, onlyBy } from "./mutant.ts";

const TABLES = "packages/ledger/src/migrations/first-schema/payment-tables.ts";

/** A mutant of an invariant in the ledger's source. Simulated cases on SQLite or the kill tests notice it. */
function inLedger(id: string, breaks: string, file: string, find: string, replace = ""): Mutant {
  return { id, breaks, edits: [{ file: `packages/ledger/src/${file}.ts`, find, replace }] };
}

/** A mutant that the ledger's contract tests notice and the tiers did not notice in any run. */
function byContract(title: string, mutant: Mutant, file = "contract"): Mutant {
  return onlyBy(`packages/ledger/test/${file}.test.ts`, title, mutant);
}

/** Mutants of the ledger's statements on SQLite and PostgreSQL. */
export const ledger: readonly Mutant[] = [
  inLedger(
    "sql-versions-unchecked",
    "A later write overwrites what another process has recorded meanwhile.",
    "payments/payments",
    `    .where("id", "=", payment.id)
    .where("version", "=", expect)`,
    `    .where("id", "=", payment.id)`,
  ),
  inLedger(
    "sql-stale-is-done",
    "A refused change counts as committed.",
    "payments/payments",
    '  if (numUpdatedRows === 0n) throw new RejectedChange("stale");',
  ),
  inLedger(
    "sql-refunds-of-all",
    "Refunds of one payment count as refunds of another.",
    "payments/refunds",
    `    .where("payment_id", "in", paymentIds)\n`,
  ),
  inLedger(
    "sql-lock-without-end",
    "An order that a dead process had locked stays locked forever.",
    "payments/order-locks",
    "or lock.leased_until <= $",
    "or lock.leased_until <= 0 * $",
  ),
  inLedger(
    "sql-jobs-apart",
    "A payment's state is committed without its jobs, so the jobs are lost.",
    "commit-change",
    "if (change.jobs?.length) await",
    "if (change.jobs?.length && !change.payment) await",
  ),
  inLedger(
    "sql-delivery-without-work",
    "A webhook is stored and never processed.",
    "deliveries/deliveries",
    "rows[0]?.last ?? 0",
    "Number.MAX_SAFE_INTEGER",
  ),
  inLedger(
    "sql-lease-without-end",
    "A job that a dead process had claimed is never done by another process.",
    "jobs/claim-jobs",
    "set ready_at = ${now + leaseMs},",
    "set ready_at = null,",
  ),
  inLedger(
    "sql-retry-forgotten",
    "A job that failed once is never retried.",
    "jobs/jobs",
    ".set({ ready_at: dueAt, worker: null, wait_ms: waitMs ?? 0, ...failure })",
    ".set({ ready_at: null, worker: null, wait_ms: waitMs ?? 0, ...failure })",
  ),
  inLedger(
    "sql-one-sibling",
    "Only the first payment of an order is found, so a duplicate payment is not recognized.",
    "payments/payments",
    `    .orderBy("created_at")
    .orderBy("sequence")
    .execute();`,
    `    .orderBy("created_at")
    .orderBy("sequence")
    .limit(1)
    .execute();`,
  ),
  byContract(
    "two payments are distinct when their id, order, session, transaction and attempt differ in case only",
    inLedger(
      "sql-session-without-case",
      "A session is taken for another payment's session whose id differs only in case.",
      "payments/payments",
      "sql`session_id = ${by.sessionId",
      "sql`lower(session_id) = ${by.sessionId.toLowerCase()",
    ),
  ),
  byContract(
    "two refunds are distinct when their keys differ in case only",
    inLedger(
      "sql-refund-key-without-case",
      "A refund is taken for an earlier refund whose key differs only in case.",
      "payments/refunds",
      `.values({ key: refund.key, payment_id`,
      `.values({ key: refund.key.toLowerCase(), payment_id`,
    ),
  ),
  byContract(
    "only the newest holder of an order's lease can commit",
    inLedger(
      "sql-fence-unchecked",
      "A process that lost an order's lease to another process still commits.",
      "commit-change",
      `  if (change.fence && !(await holdsNewestFence(session, change.fence))) throw new RejectedChange("stale");\n`,
    ),
  ),
  byContract(
    "an old holder cannot commit after a newer holder unlocked the order",
    inLedger(
      "sql-older-fence-commits",
      "A process that lost an order's lease to another process still commits.",
      "payments/order-locks",
      "await updateLock(session, ref, value).set({ fence: value }).executeTakeFirst()",
      `await session
    .updateTable("tillkit_order_locks")
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .where("fence", ">=", value)
    .set({ worker: "any" })
    .executeTakeFirst()`,
    ),
  ),
  byContract(
    "a late unlock does not release the lock of a newer holder",
    inLedger(
      "sql-lock-of-another-released",
      "A late process releases another process's lock of the order, so two processes write to the store.",
      "payments/order-locks",
      "await updateLock(session, ref, fence).set({ leased_until: null }).execute();",
      `await session
    .updateTable("tillkit_order_locks")
    .where("store_id", "=", ref.storeId)
    .where("order_id", "=", ref.orderId)
    .set({ leased_until: null })
    .execute();`,
    ),
  ),
  byContract(
    "an order's lease belongs to one worker until it expires",
    inLedger(
      "sql-lock-given-twice",
      "Two processes hold one order's lease at the same time.",
      "payments/order-locks",
      "lock.leased_until <= ${lease.now",
      "lock.leased_until <= ${lease.until",
    ),
  ),
  byContract(
    "an order has at most one payable payment (intent, then open)",
    inLedger(
      "sql-two-payable",
      "Two sessions of one order can be paid.",
      "migrations/first-schema/payment-tables",
      "create unique index tillkit_payments_one_payable on",
      "create index tillkit_payments_one_payable on",
    ),
  ),
  byContract("an order is paid by at most one payment (verified, then recorded)", {
    id: "sql-two-paid",
    breaks: "Two payments of one order both count.",
    edits: [
      {
        file: TABLES,
        find: "create unique index tillkit_payments_one_paid on",
        replace: "create index tillkit_payments_one_paid on",
      },
    ],
  }),
  byContract(
    "a delivery creates one job that is due when the delivery arrived",
    inLedger(
      "postgres-delivery-without-work",
      "On PostgreSQL, a webhook is stored and never processed.",
      "deliveries/deliveries",
      "    from inserted`.execute(session);",
      "    from inserted where 1 = 0`.execute(session);",
    ),
    "postgres",
  ),
  byContract(
    "ten concurrent claims never return the same job twice",
    inLedger(
      "sql-job-without-lease",
      "All workers get the same job at the same time.",
      "jobs/claim-jobs",
      "set ready_at = ${now + leaseMs},",
      "set ready_at = ${now},",
    ),
  ),
  byContract(
    "the version grows with every change and stays without one",
    inLedger(
      "sql-credential-change-unheard",
      "Other processes answer with the old webhook secret for ever.",
      "credentials/credentials",
      "const version = await nextVersion(session);",
      "const version = await nextVersion(session, 0);",
    ),
  ),
  byContract(
    "a store has one credential of each environment: the newest; a former credential stays without the store",
    inLedger(
      "sql-store-keeps-former-key",
      "A store opens its payments with a key that was replaced.",
      "credentials/credentials",
      '.onConflict((conflict) => conflict.columns(["store_id", "environment"]).doUpdateSet({ credential_id: id }))',
      '.onConflict((conflict) => conflict.columns(["store_id", "environment"]).doNothing())',
    ),
  ),
  byContract(
    "openPayments lists the payments of one credential that may still receive money, newest first and limited",
    inLedger(
      "sql-replaced-unseen",
      "A replaced session is paid, and a webhook without ids does not lead to it.",
      "payments/payments",
      "state in ('intent', 'open', 'superseded', 'expired')",
      "state in ('intent')",
    ),
  ),
  byContract(
    "a payment is returned exactly as it was committed",
    inLedger(
      "sql-write-not-kept",
      "A process dies during a write to the store, and the next process does not know of that write.",
      "payments/payments",
      "    store_write_at: payment.storeWriteAt,",
      "    store_write_at: null,",
    ),
  ),
];
