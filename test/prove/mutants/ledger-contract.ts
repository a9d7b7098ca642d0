import { inPackage } from "./in-package.ts";
import type { Mutant } from "./mutant.ts";

const inLedger = inPackage("ledger");

const OLDER_TASKS =
  "every task of an older ledger on SQLite is a job under its key, due, waiting, leased, dead or done";

/** Faults of the ledger on SQLite and PostgreSQL that its unit tests notice. */
export const ledgerContract: readonly Mutant[] = [
  inLedger({
    id: "ledger-keys-without-case",
    breaks: "Orders whose ids differ only in case share one payment: paying one of them marks the other paid.",
    file: "migrations/first-schema/payment-tables.ts",
    find: `  order_id \${key} not null,
  attempt \${key} not null,`,
    replace: `  order_id \${key} not null collate nocase,
  attempt \${key} not null,`,
    test: "contract",
    title: "two payments are distinct when their id, order, session, transaction and attempt differ in case only",
  }),
  inLedger({
    id: "ledger-locks-without-case",
    breaks: "Orders whose ids differ only in case share one lock and one fence.",
    file: "migrations/first-schema/work-tables.ts",
    find: `create table tillkit_order_locks (
  store_id \${key} not null,
  order_id \${key} not null,`,
    replace: `create table tillkit_order_locks (
  store_id \${key} not null,
  order_id \${key} not null collate nocase,`,
    test: "contract",
    title: "two orders are locked separately when their ids differ in case only",
  }),
  inLedger({
    id: "ledger-receive-before-durable",
    breaks: "A webhook is acknowledged before it is on the disk. If the process crashes then, the webhook is lost.",
    file: "deliveries/deliveries.ts",
    find: "      waiting.push({ rows, bytes, resolve, reject });",
    replace: `      waiting.push({ rows, bytes, resolve, reject });
      resolve();`,
    test: "delivery-batcher",
    title: "a delivery is acknowledged by its own commit, not by the previous one",
  }),
  inLedger({
    id: "ledger-claim-ignores-lease",
    breaks: "A job that one process is doing is given to a second process: both write to the store.",
    file: "jobs/claim-jobs.ts",
    find: `    .where("ready_at", "<=", now)
`,
    replace: "",
    test: "contract",
    title: "a claim returns at most the requested number of jobs, and the next claim returns the rest",
  }),
  inLedger({
    id: "ledger-done-key-free",
    breaks: "A webhook that Shopify repeats after its refund was made is run a second time.",
    file: "jobs/jobs.ts",
    find: "return added !== undefined;",
    replace: 'return added !== undefined || payload === "again";',
    test: "contract",
    title: "a key gets no second job after its job is done, until the key is forgotten",
  }),
  inLedger({
    id: "ledger-late-worker-overwrites",
    breaks: "A process that froze overwrites what the next process knows about a refund, which is then sent once more.",
    file: "jobs/jobs.ts",
    find: `
    .$if(payload !== undefined, (update) => update.where("payload", "=", payload?.from ?? ""))`,
    test: "contract",
    title: "a retry replaces the payload that its worker read, and no other",
  }),
  inLedger({
    id: "postgres-two-verified",
    breaks: "On PostgreSQL, two payments of one order both count.",
    file: "migrations/first-schema/payment-tables.ts",
    find: "[payments(dialect), paymentIndexes,",
    replace: `[payments(dialect), dialect.isSqlite ? paymentIndexes : paymentIndexes.replace("unique index tillkit_payments_one_paid", "index tillkit_payments_one_paid"),`,
    test: "postgres",
    title: "an order is paid by at most one payment (verified, then recorded)",
  }),
  inLedger({
    id: "upgrade-waits-cut",
    breaks:
      "After an update the data of a shop that left is asked for at once, over and over, and a task of a dead process is taken early.",
    file: "migrations/upgrade-from-0006.ts",
    find: "LONGEST_WAIT_MS = 43_200_000",
    replace: "LONGEST_WAIT_MS = 0",
    test: "open-ledger",
    title: OLDER_TASKS,
  }),
  inLedger({
    id: "upgrade-done-task-again",
    breaks: "A webhook that was done before an update becomes a job again.",
    file: "migrations/upgrade-from-0006.ts",
    find: " and ${doneAt} is null",
    test: "open-ledger",
    title: OLDER_TASKS,
  }),
  inLedger({
    id: "upgrade-late-task-lost",
    breaks: "A refund that Shopify requested from a process of the older version during an update is never made.",
    file: "migrations/upgrade-from-0006.ts",
    find: "\n${moveLaterTasks(dialect)}",
    test: "open-ledger",
    title: "a task that a process of an older version still adds on SQLite becomes a job, once",
  }),
  inLedger({
    id: "ledger-refund-key-of-another",
    breaks: "A refund of one payment overwrites a refund of another payment, which is then shown nowhere.",
    file: "payments/refunds.ts",
    find: `conflict.column("key").doUpdateSet(values).where("tillkit_refunds.payment_id", "=", refund.paymentId),`,
    replace: `conflict.column("key").doUpdateSet(values),`,
    test: "contract",
    title: "a commit stores nothing when a refund's key belongs to another payment",
  }),
  inLedger({
    id: "ledger-older-dispute-overwrites",
    breaks: "A decided dispute is shown as open again, with a deadline.",
    file: "payments/disputes.ts",
    find: `        .where("tillkit_disputes.updated_at", "<=", values.updated_at),`,
    replace: `        .where("tillkit_disputes.payment_id", "=", payment_id),`,
    test: "contract",
    title: "a report replaces a dispute with the same id unless the report is older",
  }),
  inLedger({
    id: "ledger-secret-in-any-row",
    breaks:
      "Whoever can write to the database replaces one shop's key with another shop's: payments reach the wrong account.",
    file: "records/secret-cipher.ts",
    find: "  return Buffer.from(JSON.stringify([storeId, kind, key]));",
    replace: "  return Buffer.from(JSON.stringify([typeof storeId, typeof kind, typeof key]));",
    test: "secrets",
    title: "a secret that was moved to another row or changed in the database cannot be read",
  }),
  inLedger({
    id: "postgres-job-for-two",
    breaks: "On PostgreSQL, two concurrent workers get the same job: both write to the store.",
    file: "jobs/claim-jobs.ts",
    find: "    where job.ready_at <= ${now} order by chosen.place limit ${limit}\n    for update of job skip locked`;",
    replace: "    order by chosen.place limit ${limit}`;",
    test: "postgres",
    title: "ten concurrent claims never return the same job twice",
  }),
  inLedger({
    id: "postgres-delivery-looked-at-late",
    breaks: "On PostgreSQL, a webhook is processed a day late, so a paid order is shipped late.",
    file: "deliveries/deliveries.ts",
    find: `      received_at, received_at, 0
`,
    replace: `      received_at, received_at + 86400000, 0
`,
    test: "postgres",
    title: "a delivery creates one job that is due when the delivery arrived",
  }),
  inLedger({
    id: "ledger-empties-unfinished-work",
    breaks: "A payment is pruned before its store was written, so its remaining jobs can no longer run.",
    file: "retention/final-payments.ts",
    find: "  and not exists (select 1 from tillkit_jobs job where job.payment_id = payment.id and job.unique_key is null)`",
    replace: "  and payment.id is not null`",
    test: "contract",
    title: "a payment with a waiting or dead-letter job is neither pruned nor erased",
  }),
];
